// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

namespace lk {

/// Optional interface of a layout whose claim of a key depends on other keys. A scan reads the
/// types of these.
class SiblingKeys
{
public:
    virtual ~SiblingKeys() = default;

    /// The names of the keys whose types bear on the claim of this key. Return few, and none for
    /// most names: each costs a command.
    virtual std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const = 0;
    /// The names of siblings() that still bear on the claim, given the key's content. For a hash,
    /// the probe has only the names of its fields. Nothing if all of them do.
    virtual std::optional<std::vector<QByteArray>> siblingsOf(const Probe&) const { return {}; }
    /// False if no key of that type has siblings.
    virtual bool hasSiblings(KeyType) const { return true; }
};

} // namespace lk
