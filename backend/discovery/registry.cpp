// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/registry.h"

#include <algorithm>

namespace lk {

namespace {

// A resource may have millions of consumers: the primitive names this many and counts the rest.
constexpr size_t maxCompanions = 1024;

} // namespace

void Registry::reserve(qsizetype primitives)
{
    m_entries.reserve(size_t(primitives));
    m_byId.reserve(primitives);
    m_byKey.reserve(primitives);
}

Registry::Added Registry::add(const Classified& found)
{
    const Primitive& claim = found.primitive;
    Added result;
    Handle& byId = m_byId[claim.id]; // found or made by one look: hashing is what takes time
    result.handle = byId;
    const bool isNew = result.handle == noHandle;
    if (isNew)
        result.handle = byId = newHandle();

    const bool anew = !isNew && std::exchange(m_entries[result.handle].doubted, false);
    // A known primitive is copied only once something about it is new: threads share it.
    const PrimitivePtr known = primitive(result.handle);
    std::shared_ptr<Primitive> grown;
    const auto edit = [&]() -> Primitive& {
        if (!grown)
            grown = std::make_shared<Primitive>(isNew || anew ? claim : *known);
        return *grown;
    };
    if (isNew || anew) {
        edit().keys.clear();
        for (const KeyRole& key : anew ? known->keys : std::vector<KeyRole>()) {
            if (m_byKey.value(key.key, noHandle) == result.handle)
                m_byKey.remove(key.key);
        }
        if (anew)
            m_entries[result.handle].primitive = grown;
    }
    const auto keys = [&]() -> const std::vector<KeyRole>& {
        return (grown ? *grown : *known).keys;
    };
    for (const KeyRole& key : claim.keys) {
        const auto at = size_t(std::find(keys().begin(), keys().end(), key) - keys().begin());
        if (at < keys().size()) {
            if (keys()[at].assumed && !key.assumed) // it has been seen by now
                edit().keys[at].assumed = false;
        } else if (keys().size() < maxCompanions &&
                   takeKey(key, result.handle, claim.confidence, result)) {
            edit().keys.push_back(key);
        }
    }
    // A claim that could take none of its keys is not worth a primitive.
    if (isNew && grown->keys.empty() && !found.declared) {
        m_byId.remove(claim.id);
        if (result.handle.index < m_entries.places())
            m_free.push_back(result.handle); // nobody has heard of it
        result.handle = noHandle;
        result.merge = Merge::Lost;
        return result;
    }
    if (anew && grown->keys.empty()) { // all of them belong to others by now
        result.removed.push_back(result.handle);
        result.lost.push_back(known);
        remove(result.handle);
        result.merge = Merge::Lost;
        return result;
    }
    if (!isNew && !anew && claim.confidence > known->confidence)
        edit().confidence = claim.confidence;
    if (!isNew && !anew && claim.declaration && !known->declaration)
        edit().declaration = claim.declaration;
    result.merge = isNew ? Merge::New : grown ? Merge::Grown : Merge::Known;
    if (grown)
        m_entries[result.handle].primitive = std::move(grown);
    return result;
}

bool Registry::takeKey(const KeyRole& key, Handle taker, double confidence, Added& result)
{
    Handle& place = m_byKey[key.key];
    const Handle holder = place;
    if (holder == taker)
        return true;
    if (holder == noHandle) {
        place = taker;
        return true;
    }
    if (confidenceOf(holder) >= confidence)
        return false;
    takeFrom(holder, key.key, result);
    m_byKey.insert(key.key, taker);
    return true;
}

double Registry::confidenceOf(Handle handle) const
{
    const Entry& entry = *m_entries.find(handle);
    return entry.doubted ? 0 : entry.primitive->confidence;
}

// Without its main key it is nothing.
void Registry::takeFrom(Handle holder, const QByteArray& key, Added& result)
{
    const PrimitivePtr whole = m_entries[holder].primitive;
    const Primitive& other = *whole;
    const bool main = !other.keys.empty() && other.keys.front().key == key;
    if (main) {
        result.lost.push_back(whole);
        remove(holder);
        result.removed.push_back(holder);
    } else {
        auto rest = std::make_shared<Primitive>(other);
        std::erase_if(rest->keys, [&](const KeyRole& k) { return k.key == key; });
        m_entries[holder].primitive = std::move(rest);
        result.shrunk.push_back(holder);
    }
}

Registry::Added Registry::release(const QByteArray& key)
{
    Added result;
    if (const Handle holder = findKey(key); holder != noHandle) {
        takeFrom(holder, key, result);
        m_byKey.remove(key);
    }
    return result;
}

void Registry::settle(Handle handle, DeclarationPtr declaration)
{
    Entry& entry = m_entries[handle];
    entry.doubted = false;
    if (entry.primitive->declaration == declaration)
        return;
    auto settled = std::make_shared<Primitive>(*entry.primitive);
    settled->declaration = std::move(declaration);
    entry.primitive = std::move(settled);
}

void Registry::remove(Handle handle)
{
    const Entry* entry = m_entries.find(handle);
    if (!entry)
        return;
    for (const KeyRole& key : entry->primitive->keys) {
        if (m_byKey.value(key.key, noHandle) == handle)
            m_byKey.remove(key.key);
    }
    m_byId.remove(entry->primitive->id);
    m_entries.erase(handle);
    m_free.emplace_back(handle.index, handle.generation + 1);
}

Handle Registry::newHandle()
{
    if (m_free.empty())
        return Handle(m_entries.places());
    const Handle handle = m_free.back();
    m_free.pop_back();
    return handle;
}

void Registry::doubt(Handle handle)
{
    if (Entry* entry = m_entries.find(handle))
        entry->doubted = true;
}

bool Registry::isDoubted(Handle handle) const
{
    const Entry* entry = m_entries.find(handle);
    return entry && entry->doubted;
}

const PrimitivePtr& Registry::primitive(Handle handle) const
{
    static const PrimitivePtr none;
    const Entry* entry = m_entries.find(handle);
    return entry ? entry->primitive : none;
}

const StatePtr& Registry::state(Handle handle) const
{
    static const StatePtr none;
    const Entry* entry = m_entries.find(handle);
    return entry ? entry->state : none;
}

void Registry::setState(Handle handle, StatePtr state)
{
    if (Entry* entry = m_entries.find(handle))
        entry->state = std::move(state);
}

} // namespace lk
