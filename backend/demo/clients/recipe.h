// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/script.h"

#include <optional>

namespace lk {

/// A recipe of lua/recipes: a script, or the plain command that needs none. Both are compiled in,
/// as <name>.lua and <name>.command. A value; for any thread.
class Recipe
{
public:
    /// Errors: FileError; there is none of that name.
    static Result<Recipe> fromResource(const QByteArray& name);

    /// Null where the recipe is a plain command.
    const Script* script() const { return m_script ? &*m_script : nullptr; }

    /// What does it: the plain command with its keys and arguments, or EVAL with the whole script.
    Command command(const std::vector<QByteArray>& keys, const std::vector<QByteArray>& args) const;

private:
    std::optional<Script> m_script;
    std::vector<QByteArray> m_words; ///< of the plain command; "KEYS[1]" stands for the first key
};

} // namespace lk
