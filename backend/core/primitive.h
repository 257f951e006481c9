// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/declaration.h"

#include <QHashFunctions>

namespace lk {

/// A key and the part it plays: {"window", "api:rate"}.
struct KeyRole
{
    QByteArray role;
    QByteArray key;
    /// Made up from another key's name: neither seen nor declared. It may be read, never written
    /// to.
    bool assumed = false;

    bool operator==(const KeyRole& other) const { return role == other.role && key == other.key; }
};

/// Names a primitive for as long as it exists: the layout's id and the primitive's own name.
struct PrimitiveId
{
    QByteArray layout;
    QByteArray name;

    bool operator==(const PrimitiveId&) const = default;
};

inline size_t qHash(const PrimitiveId& id, size_t seed = 0)
{
    return qHashMulti(seed, id.layout, id.name);
}

/// What discovery knows of one instance. Immutable once published; threads share it.
struct Primitive
{
    Kind kind = Kind::Limiter;
    PrimitiveId id;
    std::vector<KeyRole> keys;  ///< in the layout's order; the first is the main key
    double confidence = 0;      ///< 0 to 1: how sure the layout is of its claim
    DeclarationPtr declaration; ///< null unless the operator declared it
    QByteArray alternative;     ///< the id of another layout that claimed it less surely; or empty
    /// What its library calls it, "email" of "bull:email"; empty: as id.name says.
    QByteArray label;

    /// What people call it.
    const QByteArray& name() const { return label.isEmpty() ? id.name : label; }

    /// The first key of that role; empty if there is none.
    QByteArray key(const char* role) const
    {
        for (const KeyRole& k : keys) {
            if (k.role == role)
                return k.key;
        }
        return {};
    }
};

using PrimitivePtr = std::shared_ptr<const Primitive>;

} // namespace lk
