// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/config.h"
#include "backend/libraries/api/layout.h"

namespace lk {

/// What is known of one key after its probe: the claim that won, as a primitive. One that is no
/// more than possible is to be kept apart.
struct Classified
{
    Primitive primitive;            ///< its keys are those that this one claim knows of
    bool declared = false;          ///< the operator's word, not a guess
    Doubt doubt = Doubt::NameOnly;  ///< of what is no more than possible
    const Layout* layout = nullptr; ///< the primitive's
    FurtherProof further = {};      ///< see Claim::further
};

/// Decides which layout a key belongs to: a declaration first, else the surest claim. Pure and
/// unchanging after construction; threads may share one.
class Classifier
{
public:
    explicit Classifier(const Config& config = {});

    /// Nothing if the operator has it ignored, or no declaration matches and no layout claims the
    /// key.
    std::optional<Classified> classify(const Probe& probe) const;
    /// Of the layout that this claim is of: further primitives that the same key names.
    std::vector<Classified> alsoNamed(const Probe& probe, const Classified& claim) const;

    /// What is to be held of it while none of its keys can be read: nothing if the operator has
    /// it ignored, or it was declared and is not any more; else its declaration, which may be null.
    std::optional<DeclarationPtr> unseen(const Primitive& known) const;

    // What a prober has to ask for.
    bool wants(KeyType type) const;
    /// The union of Layout::hashFields() over all layouts.
    const std::vector<QByteArray>& hashFields() const;

    /// The primitives declared by a plain name: to be read even while none of their keys exists.
    std::vector<Classified> declaredByName() const;
    /// What the names begin with that the operator declared; none for a pattern without a fixed
    /// beginning.
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
