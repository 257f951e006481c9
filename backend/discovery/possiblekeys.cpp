// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/possiblekeys.h"

#include <utility>

namespace lk {

quint64 PossibleKeys::hashOf(const QByteArray& key)
{
    return qHash(key, size_t(0x6c6b));
}

void PossibleKeys::add(const Classified& classified, const QByteArray& key)
{
    const Primitive& primitive = classified.primitive;
    const quint64 hash = hashOf(key);
    const auto known = m_marks.find(hash);
    if (known != m_marks.end() && known->kind != primitive.kind)
        remove(key);
    else if (known == m_marks.end() && m_marks.size() >= mostKept)
        return;
    if (!m_marks.contains(hash))
        ++m_counts[size_t(primitive.kind)];
    m_marks.insert(hash, {primitive.kind, true});
    const PossiblePrimitive possible{primitive.kind, primitive.id, key, classified.doubt};
    Named& named = m_named[size_t(primitive.kind)];
    const auto it = named.find(key);
    if (it == named.end() ? named.size() < mostNamed : it->second != possible)
        named.insert_or_assign(key, possible);
    else if (known != m_marks.end() && it != named.end())
        return; // unchanged
    m_changed = true;
}

bool PossibleKeys::remove(const QByteArray& key)
{
    if (m_marks.isEmpty())
        return false; // true for most keys, without hashing them
    const auto it = m_marks.find(hashOf(key));
    if (it == m_marks.end())
        return false;
    m_named[size_t(it->kind)].erase(key);
    --m_counts[size_t(it->kind)];
    m_marks.erase(it);
    m_changed = true;
    return true;
}

void PossibleKeys::clear()
{
    m_changed |= !m_marks.isEmpty();
    m_marks.clear();
    m_counts = {};
    for (Named& named : m_named)
        named.clear();
}

void PossibleKeys::beginPass()
{
    for (Mark& mark : m_marks)
        mark.seen = false;
}

void PossibleKeys::see(const QByteArray& key)
{
    if (const auto it = m_marks.find(hashOf(key)); it != m_marks.end())
        it->seen = true;
}

void PossibleKeys::endPass()
{
    const auto isGone = [this](const auto& entry) {
        const auto it = m_marks.constFind(hashOf(entry.first));
        return it == m_marks.cend() || !it->seen;
    };
    for (Named& named : m_named)
        std::erase_if(named, isGone);
    m_changed |= m_marks.removeIf([this](auto it) {
        m_counts[size_t(it->kind)] -= it->seen ? 0 : 1;
        return !it->seen;
    }) > 0;
}

PossiblePtr PossibleKeys::published()
{
    if (!std::exchange(m_changed, false))
        return m_published;
    auto all = std::make_shared<PossiblePrimitives>();
    all->counts = m_counts;
    for (const Named& named : m_named) {
        for (const auto& [key, possible] : named)
            all->named.push_back(possible);
    }
    m_published = std::move(all);
    return m_published;
}

} // namespace lk
