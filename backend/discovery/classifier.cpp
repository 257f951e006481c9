// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/classifier.h"

#include "backend/core/names/glob.h"
#include "backend/core/possible.h"
#include "backend/libraries/api/layoutindex.h"

#include <algorithm>

namespace lk {

namespace {

// The claim with the highest confidence, and the layout of the second. Of equal claims the earlier
// wins.
struct Best
{
    const Layout* layout = nullptr; ///< null: no layout claims the key
    Claim claim;
    const Layout* second = nullptr;
    double secondConfidence = 0;

    void take(const Layout& from, Claim&& further)
    {
        if (!layout || further.confidence > claim.confidence) {
            const Layout* lesser = std::exchange(layout, &from);
            second = claim.confidence >= offeredFrom ? lesser : nullptr;
            secondConfidence = claim.confidence;
            claim = std::move(further);
        } else if (further.confidence >= offeredFrom &&
                   (!second || further.confidence > secondConfidence)) {
            second = &from;
            secondConfidence = further.confidence;
        }
    }
    QByteArray alternative() const { return second ? second->id() : QByteArray(); }
};

Best surest(const Probe& probe)
{
    Best best;
    layoutIndex().forEach(probe.type, probe.name, [&](const Layout& layout) {
        if (auto claim = layout.classify(probe))
            best.take(layout, std::move(*claim));
    });
    return best;
}

// The name from which a companion's template makes this key: "api" for "{name}:retry" and
// "api:retry".
std::optional<QByteArray> nameBehind(const QByteArray& rule, const QByteArray& key)
{
    const QByteArray placeholder = QByteArrayLiteral("{name}");
    const qsizetype at = rule.indexOf(placeholder);
    if (at < 0)
        return std::nullopt;
    const QByteArray before = rule.left(at);
    const QByteArray after = rule.mid(at + placeholder.size());
    if (key.size() <= before.size() + after.size() || !key.startsWith(before) ||
        !key.endsWith(after))
        return std::nullopt;
    return key.mid(before.size(), key.size() - before.size() - after.size());
}

// The main key whose declared companion this key is.
std::optional<QByteArray> mainKeyOf(const Declaration& declaration, const QByteArray& key)
{
    for (const CompanionRule& rule : declaration.companions) {
        if (const auto name = nameBehind(rule.key, key)) {
            if (globMatches(declaration.pattern, *name))
                return name;
        } else if (rule.key == key && isLiteral(declaration.pattern)) {
            return declaration.pattern;
        }
    }
    return std::nullopt;
}

bool isCompanion(const Layout& layout, const Claim& claim, const QByteArray& key)
{
    return std::any_of(claim.keys.begin(), claim.keys.end(), [&](const KeyRole& k) {
        return k.key == key && k.role != layout.mainRole();
    });
}

// Completes a declared claim with the detected name and companions. Roles that the declaration
// defines itself stay.
void completeFrom(const Claim& detected, Claim& declared)
{
    if (detected.id != declared.id)
        return;
    if (declared.label.isEmpty())
        declared.label = detected.label;
    for (const KeyRole& key : detected.keys) {
        const bool known =
            std::any_of(declared.keys.begin(), declared.keys.end(),
                        [&](const KeyRole& k) { return k.key == key.key || k.role == key.role; });
        if (!known)
            declared.keys.push_back(key);
    }
}

Classified classifiedOf(const Layout& layout, Claim claim, DeclarationPtr declaration,
                        const QByteArray& alternative)
{
    const bool declared = declaration != nullptr;
    return {{layout.kind(), ProvenBy::Itself, claim.openName, declared ? 1.0 : claim.confidence,
             std::move(claim.id), std::move(claim.keys), std::move(declaration), alternative,
             std::move(claim.label)},
            declared,
            claim.doubt,
            &layout,
            claim.further};
}

} // namespace

Classifier::Classifier(const Config& config)
    : m_ignored(config.ignored)
    , m_declarations(config.declarations)
{
    std::stable_partition(m_declarations.begin(), m_declarations.end(),
                          [](const DeclarationPtr& d) { return isLiteral(d->pattern); });
}

bool Classifier::isIgnored(const QByteArray& name) const
{
    return std::any_of(m_ignored.begin(), m_ignored.end(),
                       [&](const QByteArray& pattern) { return globMatches(pattern, name); });
}

// Ignored patterns apply to the key itself and to the primitive that it belongs to.
std::optional<Classified> Classifier::classify(const Probe& probe) const
{
    if (isIgnored(probe.name))
        return std::nullopt;
    std::optional<Classified> claim = claimOf(probe);
    return claim && isIgnored(claim->primitive) ? std::nullopt : claim;
}

bool Classifier::isIgnored(const Primitive& primitive) const
{
    return isIgnored(primitive.id.name) ||
           (!primitive.keys.empty() && isIgnored(primitive.keys.front().key));
}

std::vector<Classified> Classifier::alsoNamed(const Probe& probe, const Classified& claim) const
{
    std::vector<Classified> all;
    if (claim.declared || !claim.layout)
        return all;
    for (const Claim& further : claim.layout->alsoNamed(probe)) {
        Classified classified =
            classifiedOf(*claim.layout, further, declarationFor(further.id, further.keys), {});
        if (further.id != claim.primitive.id && !isIgnored(classified.primitive))
            all.push_back(std::move(classified));
    }
    return all;
}

std::optional<Classified> Classifier::claimOf(const Probe& probe) const
{
    Best best = surest(probe);
    if (std::optional<Classified> declared = declaredClaim(probe)) {
        if (best.layout && best.layout->id() != declared->primitive.id.layout)
            declared->primitive.alternative = best.layout->id();
        return declared;
    }
    if (!best.layout)
        return std::nullopt;
    DeclarationPtr declaration = declarationFor(best.claim.id, best.claim.keys);
    return classifiedOf(*best.layout, std::move(best.claim), std::move(declaration),
                        best.alternative());
}

std::optional<Classified> Classifier::declaredClaim(const Probe& probe) const
{
    // Companions first: a wide pattern matches them as well, but they are not primitives.
    for (const DeclarationPtr& d : m_declarations) {
        const Layout* layout = findLayout(d->layout);
        const auto main = layout ? mainKeyOf(*d, probe.name) : std::nullopt;
        if (main)
            return classifiedOf(*layout, layout->declared(*d, *main), d, {});
    }
    for (const DeclarationPtr& d : m_declarations) {
        const Layout* layout = findLayout(d->layout);
        if (!layout || !globMatches(d->pattern, probe.name))
            continue;
        const std::optional<Claim> claim = layout->classify(probe);
        if (claim && d->pattern != probe.name && isCompanion(*layout, *claim, probe.name))
            return classifiedOf(*layout, *claim, d, {});
        Claim declared = layout->declared(*d, probe.name);
        if (claim)
            completeFrom(*claim, declared);
        return classifiedOf(*layout, std::move(declared), d, {});
    }
    return std::nullopt;
}

DeclarationPtr Classifier::declarationFor(const PrimitiveId& id,
                                          const std::vector<KeyRole>& keys) const
{
    for (const DeclarationPtr& d : m_declarations) {
        if (d->layout == id.layout && !keys.empty() && globMatches(d->pattern, keys.front().key))
            return d;
    }
    return nullptr;
}

std::optional<DeclarationPtr> Classifier::unseen(const Primitive& known) const
{
    if (isIgnored(known))
        return std::nullopt;
    DeclarationPtr declaration = declarationFor(known.id, known.keys);
    if (!declaration && known.declaration)
        return std::nullopt;
    return declaration;
}

bool Classifier::wants(KeyType type) const
{
    return layoutIndex().wants(type);
}

const std::vector<QByteArray>& Classifier::hashFields() const
{
    return probedHashFields();
}

std::vector<Classified> Classifier::declaredByName() const
{
    std::vector<Classified> all;
    for (const DeclarationPtr& d : m_declarations) {
        const Layout* layout = findLayout(d->layout);
        if (layout && isLiteral(d->pattern) && !isIgnored(d->pattern))
            all.push_back(classifiedOf(*layout, layout->declared(*d, d->pattern), d, {}));
    }
    return all;
}

QList<QByteArray> Classifier::declaredStarts() const
{
    QList<QByteArray> starts;
    for (const DeclarationPtr& d : m_declarations) {
        if (const QByteArray start = literalStart(d->pattern); !start.isEmpty())
            starts.append(start);
    }
    return starts;
}

} // namespace lk
