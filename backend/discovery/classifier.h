// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/config.h"
#include "backend/libraries/api/layout.h"

namespace lk {

/// The result of classifying one key: the winning claim, as a primitive. Callers keep primitives
/// that are merely possible separately.
struct Classified
{
    Primitive primitive;            ///< contains only the keys of this claim
    bool declared = false;          ///< the operator declared it
    Doubt doubt = Doubt::NameOnly;  ///< why it is merely possible
    const Layout* layout = nullptr; ///< the primitive's layout
    FurtherProof further = {};      ///< see Claim::further
};

/// Decides which layout a key belongs to: a matching declaration, else the claim with the highest
/// confidence. Pure and immutable after construction; threads may share one.
class Classifier
{
public:
    explicit Classifier(const Config& config = {});

    /// Empty if the operator ignores the key, or if no declaration matches and no layout claims it.
    std::optional<Classified> classify(const Probe& probe) const;
    /// Further primitives of the claim's layout that the same key names.
    std::vector<Classified> alsoNamed(const Probe& probe, const Classified& claim) const;

    /// Judges a known primitive while none of its keys can be read. Empty if the operator ignores
    /// it, or if its declaration has been removed. Else its declaration, which may be null.
    std::optional<DeclarationPtr> unseen(const Primitive& known) const;

    // The types and fields that a probe reads.
    bool wants(KeyType type) const;
    /// The union of Layout::hashFields() over all layouts.
    const std::vector<QByteArray>& hashFields() const;

    /// The primitives declared by a plain name. They are read even if none of their keys exists.
    std::vector<Classified> declaredByName() const;
    /// The prefixes of the declared names. A pattern without a fixed prefix adds none.
    QList<QByteArray> declaredStarts() const;

private:
    bool isIgnored(const QByteArray& name) const;
    bool isIgnored(const Primitive& primitive) const; ///< by its name or its main key
    std::optional<Classified> claimOf(const Probe& probe) const;
    std::optional<Classified> declaredClaim(const Probe& probe) const;
    DeclarationPtr declarationFor(const PrimitiveId& id, const std::vector<KeyRole>& keys) const;

    QByteArrayList m_ignored;
    std::vector<DeclarationPtr> m_declarations; ///< plain names first, then in the file's order
};

} // namespace lk
