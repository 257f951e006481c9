// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/configchange.h"

#include "backend/core/names/glob.h"

#include <algorithm>

namespace lk {

namespace {

bool isAmong(const std::vector<DeclarationPtr>& all, const Declaration& one)
{
    return std::any_of(all.begin(), all.end(),
                       [&](const DeclarationPtr& other) { return one.saysTheSameAs(*other); });
}

// The declarations that both have, in the order of the first.
std::vector<DeclarationPtr> common(const std::vector<DeclarationPtr>& first,
                                   const std::vector<DeclarationPtr>& second)
{
    std::vector<DeclarationPtr> both;
    std::copy_if(first.begin(), first.end(), std::back_inserter(both),
                 [&](const DeclarationPtr& one) { return isAmong(second, *one); });
    return both;
}

} // namespace

ConfigChange::ConfigChange(const Config& before, const Config& after)
{
    for (const auto& [some, others] : {std::pair(&before.declarations, &after.declarations),
                                       std::pair(&after.declarations, &before.declarations)}) {
        for (const DeclarationPtr& one : *some) {
            if (!isAmong(*others, *one))
                add(*one);
        }
    }
    // The first match of a name counts, so a different order has a different meaning.
    const auto stayed = common(before.declarations, after.declarations);
    const auto now = common(after.declarations, before.declarations);
    const bool sameOrder = std::equal(
        stayed.begin(), stayed.end(), now.begin(), now.end(),
        [](const DeclarationPtr& a, const DeclarationPtr& b) { return a->saysTheSameAs(*b); });
    for (const DeclarationPtr& one : sameOrder ? std::vector<DeclarationPtr>() : now)
        add(*one);
    for (const QByteArray& pattern : before.ignored + after.ignored) {
        if (before.ignored.contains(pattern) != after.ignored.contains(pattern))
            m_patterns << pattern;
    }
}

void ConfigChange::add(const Declaration& declaration)
{
    m_patterns << declaration.pattern;
    for (const CompanionRule& rule : declaration.companions) {
        const QByteArray placeholder = QByteArrayLiteral("{name}");
        const qsizetype at = rule.key.indexOf(placeholder);
        m_patterns << (at < 0 ? quotedForGlob(rule.key)
                              : quotedForGlob(rule.key.left(at)) + '*' +
                                    quotedForGlob(rule.key.mid(at + placeholder.size())));
    }
}

bool ConfigChange::matches(const QByteArray& name) const
{
    return std::any_of(m_patterns.begin(), m_patterns.end(),
                       [&](const QByteArray& pattern) { return globMatches(pattern, name); });
}

bool ConfigChange::concerns(const Primitive& primitive) const
{
    return matches(primitive.id.name) ||
           std::any_of(primitive.keys.begin(), primitive.keys.end(),
                       [&](const KeyRole& key) { return matches(key.key); });
}

} // namespace lk
