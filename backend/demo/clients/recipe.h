// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/script.h"

#include <optional>

namespace lk {

/// A recipe of lua/recipes: a script, or a plain command. Both are compiled in, as <name>.lua and
/// <name>.command. A value; safe in any thread.
class Recipe
{
public:
    /// Errors: FileError if there is no recipe with that name.
    static Result<Recipe> fromResource(const QByteArray& name);

    /// Null if the recipe is a plain command.
    const Script* script() const { return m_script ? &*m_script : nullptr; }

    /// The command that runs it: the plain command with keys and arguments, or EVAL with the whole
    /// script.
    Command command(const std::vector<QByteArray>& keys, const std::vector<QByteArray>& args) const;

private:
    std::optional<Script> m_script;
    std::vector<QByteArray>
        m_words; ///< words of the plain command; "KEYS[1]" stands for the first key
};

} // namespace lk
