// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/fileclaims.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/detect/probeanswer.h"

#include <QCoreApplication>

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

// The key of that rule for those values. If the rule has several patterns: the first one whose key
// exists, else the first one that can be filled.
QByteArray nameOf(const KeyRule& rule, const NameValues& values, const Probe& probe)
{
    QByteArray first;
    for (const NamePattern& pattern : rule.names) {
        const auto name = pattern.fill(values);
        if (!name)
            continue;
        if (rule.is(probe.sibling(*name)))
            return *name;
        if (first.isEmpty())
            first = *name;
    }
    return first;
}

// The first of the patterns that these values fill.
QByteArray firstFilled(const std::vector<NamePattern>& patterns, const NameValues& values,
                       const QByteArray& otherwise)
{
    for (const NamePattern& pattern : patterns) {
        if (auto name = pattern.fill(values))
            return *name;
    }
    return otherwise;
}

// The first label that is not empty, without a cluster's braces around it and separators behind it.
QByteArray labelOf(const LayoutFile& file, const NameValues& values)
{
    for (const NamePattern& pattern : file.labels) {
        QByteArray label = pattern.fill(values).value_or(QByteArray());
        while (label.endsWith(':') || label.endsWith('.') || label.endsWith('-'))
            label.chop(1);
        if (label.startsWith('{') && label.endsWith('}'))
            label = label.mid(1, label.size() - 2);
        if (!label.isEmpty())
            return label;
    }
    return {};
}

bool mayHaveFields(const KeyRule& rule, const Probe& probe)
{
    const std::vector<QByteArray>& names = probe.fieldNames;
    return !hasAllFieldNames(probe) ||
           std::all_of(rule.fields.begin(), rule.fields.end(), [&](const QByteArray& field) {
               return std::find(names.begin(), names.end(), field) != names.end();
           });
}

bool meets(const KeyRule& rule, const Probe& probe)
{
    return unmetOf(rule, probe) == nullptr;
}

struct FileClaimsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::LayoutFile)
};

} // namespace

FileClaims::FileClaims(LayoutFilePtr file)
    : m_file(std::move(file))
{}

LayoutOrigin FileClaims::origin() const
{
    return {m_file->family, m_file->library, m_file->versions, m_file->url, m_file->source};
}

bool FileClaims::wants(KeyType type) const
{
    return std::any_of(m_file->keys.begin(), m_file->keys.end(),
                       [&](const KeyRule& rule) { return rule.is(type); });
}

std::vector<QByteArray> FileClaims::nameParts(KeyType type) const
{
    std::vector<QByteArray> parts;
    for (const KeyRule& rule : m_file->keys) {
        if (!rule.is(type) || rule.follows)
            continue;
        for (const NamePattern& pattern : rule.names) {
            if (pattern.needle().isEmpty())
                return {};
            parts.push_back(pattern.needle());
        }
    }
    return parts;
}

// The other keys that follow from the name by a rule that may match the key. Checks the value
// first, since matching the name costs more.
template<typename May, typename MayBe>
std::vector<QByteArray> FileClaims::besides(const QByteArray& name, KeyType type, const May& may,
                                            const MayBe& mayBe) const
{
    std::vector<QByteArray> names;
    if (m_file->keys.size() < 2)
        return names;
    for (const KeyRule& rule : m_file->keys) {
        const bool leads = rule.is(type) && !rule.follows && may(rule);
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

std::vector<QByteArray> FileClaims::siblings(const QByteArray& name, KeyType type) const
{
    return besides(
        name, type, [](const KeyRule&) { return true; },
        [](const KeyRule&, const NameValues&) { return true; });
}

std::optional<std::vector<QByteArray>> FileClaims::siblingsOf(const Probe& probe,
                                                              const Proof& proves) const
{
    const bool hash = probe.type == KeyType::Hash; // its values are read at the same time
    return besides(
        probe.name, probe.type,
        [&](const KeyRule& rule) { return hash ? mayHaveFields(rule, probe) : meets(rule, probe); },
        [&](const KeyRule& rule, const NameValues& values) {
            return hash || proves(rule, values, probe);
        });
}

bool FileClaims::hasSiblings(KeyType type) const
{
    return m_file->keys.size() > 1 &&
           std::any_of(m_file->keys.begin(), m_file->keys.end(),
                       [&](const KeyRule& rule) { return rule.is(type) && !rule.follows; });
}

std::vector<QByteArray> FileClaims::hashFields() const
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

std::optional<Claim> FileClaims::claim(const Probe& probe, const Proof& proves) const
{
    const KeyRule& main = m_file->keys.front();
    for (const KeyRule& rule : m_file->keys) {
        // Many names match, few values do: check the value first.
        if (!rule.is(probe.type) || rule.follows || !meets(rule, probe))
            continue;
        const auto values = matchOf(rule, probe.name);
        if (!values || !proves(rule, *values, probe))
            continue;
        const bool isMain = &rule == &main;
        const QByteArray mainKey = isMain ? probe.name : nameOf(main, *values, probe);
        const bool mainThere = isMain || main.is(probe.sibling(mainKey));
        if (mainKey.isEmpty() || (!mainThere && !rule.alone))
            continue;
        Claim claim = claimOf(rule, *values, probe, mainKey);
        if (!claim.keys.empty())
            return claim;
    }
    return std::nullopt;
}

bool FileClaims::isNamed(const QByteArray& key) const
{
    return std::any_of(m_file->keys.begin(), m_file->keys.end(),
                       [&](const KeyRule& rule) { return !rule.follows && matchOf(rule, key); });
}

QString FileClaims::whyNot(const Probe& probe) const
{
    const KeyRule& main = m_file->keys.front();
    QString why;
    for (const KeyRule& rule : m_file->keys) {
        const auto values = rule.follows ? std::nullopt : matchOf(rule, probe.name);
        if (!values)
            continue;
        const auto missing = [&](const KeyRule& other) {
            const QByteArray name = nameOf(other, *values, probe);
            return FileClaimsText::tr("its %1 is missing: %2")
                .arg(QString::fromLatin1(other.role), displayName(name));
        };
        if (!rule.is(probe.type)) {
            why = FileClaimsText::tr("it is a %1; as %2 it would be a %3")
                      .arg(QString::fromLatin1(keyTypeName(probe.type)),
                           QString::fromLatin1(rule.role),
                           QString::fromLatin1(keyTypeName(rule.type)));
            continue;
        }
        if (const char* unmet = unmetOf(rule, probe))
            return FileClaimsText::tr("as %1 it does not meet \"%2\"")
                .arg(QString::fromLatin1(rule.role), QString::fromLatin1(unmet));
        if (&rule != &main && !rule.alone && !main.is(probe.sibling(nameOf(main, *values, probe))))
            return missing(main);
        for (const KeyRule& other : m_file->keys) {
            const QByteArray name = nameOf(other, *values, probe);
            if (&other != &rule && &other != &main && !other.optional &&
                (name.isEmpty() || !other.is(probe.sibling(name))))
                return missing(other);
        }
        return FileClaimsText::tr("its content is not what the family %1 has")
            .arg(QString::fromLatin1(m_file->family));
    }
    return why;
}

Claim FileClaims::claimOf(const KeyRule& rule, const NameValues& values, const Probe& probe,
                          const QByteArray& mainKey) const
{
    Claim claim{{m_file->id, mainKey}, {}, m_file->confidence, {}, Doubt::ValueOnly};
    if (m_file->siblings > 0)
        claim.further = {FurtherProof::Way::Siblings, quint8(m_file->siblings)};
    claim.id.name = firstFilled(m_file->primitives, values, mainKey);
    claim.label = labelOf(*m_file, values);
    const KeyRule* main = &m_file->keys.front();
    for (const KeyRule& other : m_file->keys) {
        if (&other == &rule) {
            claim.keys.push_back({other.role, probe.name});
            continue;
        }
        const QByteArray name = &other == main ? mainKey : nameOf(other, values, probe);
        const bool there = !name.isEmpty() && other.is(probe.sibling(name));
        if (!there && !other.optional && &other != main)
            return {}; // a required companion is missing
        if (!name.isEmpty())
            claim.keys.push_back({other.role, name, !there});
    }
    return claim;
}

Claim FileClaims::declared(Claim claim, const Declaration& declaration,
                           const QByteArray& name) const
{
    const KeyRule& main = m_file->keys.front();
    const auto values = matchOf(main, name);
    if (!values)
        return claim;
    claim.id.name = firstFilled(m_file->primitives, *values, name);
    claim.label = labelOf(*m_file, *values);
    for (const KeyRule& rule : m_file->keys) {
        const bool known = &rule == &main || !declaration.companion(rule.role, name).isEmpty();
        const auto companion = known ? std::nullopt : rule.names.front().fill(*values);
        if (companion)
            claim.keys.push_back({rule.role, *companion, true});
    }
    return claim;
}

QByteArray FileClaims::mainKeyFor(const NameValues& values, const QByteArray& otherwise) const
{
    return firstFilled(m_file->keys.front().names, values, otherwise);
}

std::optional<QByteArray> FileClaims::primitiveOf(const KeyRule& rule, const QByteArray& key) const
{
    const auto values = matchOf(rule, key);
    if (!values)
        return std::nullopt;
    return firstFilled(m_file->primitives, *values, mainKeyFor(*values, {}));
}

NameValues FileClaims::valuesOf(const Primitive& primitive) const
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
