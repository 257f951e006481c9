// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

namespace lk {

/// What a layout is besides, if other keys bear on whether a key is its own: a scan asks for their
/// types.
class SiblingKeys
{
public:
    virtual ~SiblingKeys() = default;

    /// Names whose type bears on the claim of this key. Few, and none for most names: each costs a
    /// command.
    virtual std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const = 0;
    /// Of siblings() those that still bear on the claim, now that the content is known. Of a hash
    /// nothing is known but the names of its fields. Nothing: all of them do.
    virtual std::optional<std::vector<QByteArray>> siblingsOf(const Probe&) const { return {}; }
    /// False: for no key of that type there are any.
    virtual bool hasSiblings(KeyType) const { return true; }
};

} // namespace lk
