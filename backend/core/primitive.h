// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/boxed.h"
#include "backend/core/compact/confidence.h"
#include "backend/core/compact/internedstring.h"
#include "backend/core/declaration.h"

#include <QHashFunctions>

namespace lk {

/// A key and the part it plays: {"window", "api:rate"}.
struct KeyRole
{
    InternedString role;
    QByteArray key;
    /// Derived from another key's name: neither seen nor declared. It may be read, but never
    /// written.
    bool assumed = false;

    bool operator==(const KeyRole& other) const { return role == other.role && key == other.key; }
};

/// Names a primitive for as long as it exists: the layout's id and the primitive's own name.
struct PrimitiveId
{
    InternedString layout;
    QByteArray name;

    bool operator==(const PrimitiveId&) const = default;
};

inline size_t qHash(const PrimitiveId& id, size_t seed = 0)
{
    return qHashMulti(seed, id.layout.text(), id.name);
}

/// The confidence from which a claim counts as a detection, and from which it is certain: content
/// and sibling keys prove the layout.
constexpr double likelyFrom = 0.5;
constexpr double certainFrom = 0.9;

/// Why a claim is no more than possible.
enum class Doubt : quint8 {
    NameOnly,   ///< nothing but the name suggests it
    ValueOnly,  ///< the value looks like it, the name does not say so
    NoTtl,      ///< a primitive of this kind would expire, and the key has no TTL
    OtherWords, ///< the name says something else as well
};

/// How a primitive was proven that no key proves by itself.
enum class ProvenBy : quint8 {
    Itself,   ///< nothing is needed
    Siblings, ///< several keys of one form
    Growth,   ///< counters of one form that only grow, until they end
    Turnover, ///< released and acquired again by another owner's value
};

/// How certain the layout of a primitive is.
enum class Certainty : quint8 { Possible, Likely, Certain, Declared };

/// One detected instance, as discovery knows it. Immutable once published; threads share it.
struct Primitive
{
    Kind kind = Kind::Limiter;
    ProvenBy provenBy = ProvenBy::Itself;
    bool openName = false; ///< token only: the code is the key's value, and the name contains none
    Confidence confidence; ///< how sure the layout is of its claim
    PrimitiveId id;
    std::vector<KeyRole> keys;  ///< in the layout's order; the first is the main key
    DeclarationPtr declaration; ///< null unless the operator declared it
    InternedString alternative; ///< the id of another layout that claimed it less surely; or empty
    /// The library's own name for it, "email" for "bull:email"; empty: the same as id.name.
    Boxed<QByteArray> label;

    /// The name shown to the user: label, or id.name if label is empty.
    const QByteArray& name() const { return label->isEmpty() ? id.name : *label; }

    Certainty certainty() const
    {
        return declaration                 ? Certainty::Declared
               : confidence >= certainFrom ? Certainty::Certain
               : confidence >= likelyFrom  ? Certainty::Likely
                                           : Certainty::Possible;
    }

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

// There may be a million of them.
static_assert(sizeof(void*) != 8 || (sizeof(Primitive) <= 96 && sizeof(KeyRole) <= 40));

using PrimitivePtr = std::shared_ptr<const Primitive>;

} // namespace lk
