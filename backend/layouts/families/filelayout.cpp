// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/families/filelayout.h"

#include "backend/layouts/probe/probeanswer.h"

#include <algorithm>

namespace lk {

namespace {

std::optional<NameValues> matchOf(const KeyRule& rule, const QByteArray& name)
{
    for (const NamePattern& pattern : rule.names) {
        if (auto values = pattern.match(name))
            return values;
    }
    return std::nullopt;
}

// The key of that rule that goes with those values. Of several patterns the one whose key is there;
// else the first that says anything.
QByteArray nameOf(const KeyRule& rule, const NameValues& values, const Probe& probe)
{
    QByteArray first;
    for (const NamePattern& pattern : rule.names) {
        const auto name = pattern.fill(values);
        if (!name)
            continue;
        if (probe.sibling(*name) == rule.type)
            return *name;
        if (first.isEmpty())
            first = *name;
    }
    return first;
}

// Of the patterns the first that these values fill.
QByteArray firstFilled(const std::vector<NamePattern>& patterns, const NameValues& values,
                       const QByteArray& otherwise)
{
    for (const NamePattern& pattern : patterns) {
        if (auto name = pattern.fill(values))
            return *name;
    }
    return otherwise;
}

bool mayHaveFields(const KeyRule& rule, const Probe& probe)
{
    const std::vector<QByteArray>& names = probe.fieldNames;
    return !hasAllFieldNames(probe) ||
           std::all_of(rule.fields.begin(), rule.fields.end(), [&](const QByteArray& field) {
               return std::find(names.begin(), names.end(), field) != names.end();
           });
}

} // namespace

FileLayout::FileLayout(LayoutFilePtr file)
    : m_file(std::move(file))
{}

LayoutOrigin FileLayout::origin() const
{
    return {m_file->family, m_file->library, m_file->versions, m_file->url, m_file->source};
}

bool FileLayout::wants(KeyType type) const
{
    return std::any_of(m_file->keys.begin(), m_file->keys.end(),
                       [&](const KeyRule& rule) { return rule.type == type; });
}

std::vector<QByteArray> FileLayout::nameParts(KeyType type) const
{
    std::vector<QByteArray> parts;
    for (const KeyRule& rule : m_file->keys) {
        if (rule.type != type || rule.follows)
            continue;
        for (const NamePattern& pattern : rule.names) {
            if (pattern.needle().isEmpty())
                return {};
            parts.push_back(pattern.needle());
        }
    }
    return parts;
}

// The other keys that the name leads to by a rule that may be its own: by the value, then by what
// the name says, which is dearer.
template<typename May, typename MayBe>
std::vector<QByteArray> FileLayout::besides(const QByteArray& name, KeyType type, const May& may,
                                            const MayBe& mayBe) const
{
    std::vector<QByteArray> names;
    if (m_file->keys.size() < 2)
        return names;
    for (const KeyRule& rule : m_file->keys) {
        const bool leads = rule.type == type && !rule.follows && may(rule);
        const auto values = leads ? matchOf(rule, name) : std::nullopt;
        if (!values || !mayBe(rule, *values))
            continue;
        for (const KeyRule& other : m_file->keys) {
            if (&other == &rule)
                continue;
            for (const NamePattern& pattern : other.names) {
                if (auto sibling = pattern.fill(*values))
                    names.push_back(std::move(*sibling));
            }
        }
    }
    return names;
}

std::vector<QByteArray> FileLayout::siblings(const QByteArray& name, KeyType type) const
{
    return besides(
        name, type, [](const KeyRule&) { return true; },
        [](const KeyRule&, const NameValues&) { return true; });
}

std::optional<std::vector<QByteArray>> FileLayout::siblingsOf(const Probe& probe) const
{
    const bool hash = probe.type == KeyType::Hash; // the values are asked for at the same time
    return besides(
        probe.name, probe.type,
        [&](const KeyRule& rule) {
            return hash ? mayHaveFields(rule, probe) : holdsProof(rule, probe);
        },
        [&](const KeyRule& rule, const NameValues& values) {
            return hash || proves(rule, values, probe);
        });
}

bool FileLayout::hasSiblings(KeyType type) const
{
    return m_file->keys.size() > 1 &&
           std::any_of(m_file->keys.begin(), m_file->keys.end(),
                       [&](const KeyRule& rule) { return rule.type == type && !rule.follows; });
}

std::vector<QByteArray> FileLayout::hashFields() const
{
    std::vector<QByteArray> fields;
    const auto add = [&](const QByteArray& field) {
        if (std::find(fields.begin(), fields.end(), field) == fields.end())
            fields.push_back(field);
    };
    for (const KeyRule& rule : m_file->keys) {
        for (const QByteArray& field : rule.fields + rule.furtherFields)
            add(field);
    }
    for (const NumberRule* number : {&m_file->limit, &m_file->window}) {
        if (number->from == NumberRule::From::Field)
            add(number->word);
    }
    return fields;
}

bool FileLayout::proves(const KeyRule&, const NameValues&, const Probe&) const
{
    return true;
}

std::optional<Claim> FileLayout::classify(const Probe& probe) const
{
    const KeyRule& main = m_file->keys.front();
    for (const KeyRule& rule : m_file->keys) {
        // Names that could be its own are many, values hardly any.
        if (rule.type != probe.type || rule.follows || !holdsProof(rule, probe))
            continue;
        const auto values = matchOf(rule, probe.name);
        if (!values || !proves(rule, *values, probe))
            continue;
        const bool isMain = &rule == &main;
        const QByteArray mainKey = isMain ? probe.name : nameOf(main, *values, probe);
        const bool mainThere = isMain || probe.sibling(mainKey) == main.type;
        if (mainKey.isEmpty() || (!mainThere && !rule.alone))
            continue;
        Claim claim = claimOf(rule, *values, probe, mainKey);
        if (!claim.keys.empty())
            return claim;
    }
    return std::nullopt;
}

Claim FileLayout::claimOf(const KeyRule& rule, const NameValues& values, const Probe& probe,
                          const QByteArray& mainKey) const
{
    Claim claim{{id(), mainKey}, {}, m_file->confidence, {}, Doubt::ValueOnly};
    if (m_file->siblings > 0)
        claim.further = {FurtherProof::Way::Siblings, quint8(m_file->siblings)};
    claim.id.name = firstFilled(m_file->primitives, values, mainKey);
    claim.label = firstFilled(m_file->labels, values, {});
    const KeyRule* main = &m_file->keys.front();
    for (const KeyRule& other : m_file->keys) {
        if (&other == &rule) {
            claim.keys.push_back({other.role, probe.name});
            continue;
        }
        const QByteArray name = &other == main ? mainKey : nameOf(other, values, probe);
        const bool there = !name.isEmpty() && probe.sibling(name) == other.type;
        if (!there && !other.optional && &other != main)
            return {}; // what has to be beside it is not
        if (!name.isEmpty())
            claim.keys.push_back({other.role, name, !there});
    }
    return claim;
}

Claim FileLayout::declared(const Declaration& declaration, const QByteArray& name) const
{
    Claim claim = Layout::declared(declaration, name);
    const KeyRule& main = m_file->keys.front();
    const auto values = matchOf(main, name);
    if (!values)
        return claim;
    claim.id.name = firstFilled(m_file->primitives, *values, name);
    claim.label = firstFilled(m_file->labels, *values, {});
    for (const KeyRule& rule : m_file->keys) {
        const bool known = &rule == &main || !declaration.companion(rule.role, name).isEmpty();
        const auto companion = known ? std::nullopt : rule.names.front().fill(*values);
        if (companion)
            claim.keys.push_back({rule.role, *companion, true});
    }
    return claim;
}

QByteArray FileLayout::mainKeyFor(const NameValues& values, const QByteArray& otherwise) const
{
    return firstFilled(m_file->keys.front().names, values, otherwise);
}

NameValues FileLayout::valuesOf(const Primitive& primitive) const
{
    for (const KeyRole& key : primitive.keys) {
        const KeyRule* rule = m_file->key(key.role);
        if (rule) {
            if (auto values = matchOf(*rule, key.key))
                return *values;
        }
    }
    return {};
}

} // namespace lk
