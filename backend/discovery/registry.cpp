// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/registry.h"

#include <algorithm>

namespace lk {

namespace {

// A resource may have millions of consumers: the primitive names this many and counts the rest.
constexpr size_t maxCompanions = 1024;

bool has(const std::vector<KeyRole>& keys, const QByteArray& key)
{
    return std::any_of(keys.begin(), keys.end(), [&](const KeyRole& k) { return k.key == key; });
}

} // namespace

void Registry::reserve(qsizetype primitives)
{
    m_primitives.reserve(size_t(primitives));
    m_byKey.reserve(size_t(primitives));
}

Handle Registry::findKey(const QByteArray& key) const
{
    return m_primitives.at(m_byKey.find(key, [&](quint32 place) {
        const auto* primitive = m_primitives.find(m_primitives.at(place));
        return primitive &&
               has((*primitive)->keys, key); // null for a primitive that is about to be added
    }));
}

Handle Registry::find(const PrimitiveId& id) const
{
    if (const Handle handle = findKey(id.name);
        handle != noHandle && (*m_primitives.find(handle))->id == id)
        return handle;
    return m_byId.isEmpty() ? noHandle : m_byId.value(id, noHandle);
}

// Call it when the primitive's keys are final.
void Registry::noteId(const Primitive& primitive, Handle handle)
{
    if (!has(primitive.keys, primitive.id.name))
        m_byId.insert(primitive.id, handle);
}

QList<QByteArray> Registry::keys() const
{
    QList<QByteArray> all;
    all.reserve(keyCount());
    for (const auto& [handle, primitive] : m_primitives) {
        for (const KeyRole& key : primitive->keys)
            all.push_back(key.key);
    }
    return all;
}

Registry::Added Registry::add(const Primitive& claim, bool declared, const PrimitivePtr& whole)
{
    Added result;
    result.handle = find(claim.id);
    const bool isNew = result.handle == noHandle;
    if (isNew)
        result.handle = newHandle();

    if (isNew && whole && claim.keys.size() == 1 &&
        takeKey(claim.keys.front(), result.handle, claim.confidence, result)) {
        noteId(claim, result.handle);
        m_primitives[result.handle] = whole;
        ++m_size;
        result.merge = Merge::New;
        return result;
    }
    const bool anew = !isNew && m_doubted.remove(result.handle);
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
        if (anew) {
            for (const KeyRole& key : known->keys)
                m_byKey.remove(key.key, result.handle.index);
            m_primitives[result.handle] = grown;
        }
    }
    const auto keys = [&]() -> const std::vector<KeyRole>& {
        return (grown ? *grown : *known).keys;
    };
    for (const KeyRole& key : claim.keys) {
        const auto at = size_t(std::find(keys().begin(), keys().end(), key) - keys().begin());
        if (at < keys().size()) {
            if (keys()[at].assumed && !key.assumed) // the key has been seen since
                edit().keys[at].assumed = false;
        } else if (keys().size() < maxCompanions &&
                   (has(keys(), key.key) || // in another role
                    takeKey(key, result.handle, claim.confidence, result))) {
            edit().keys.push_back(key);
        }
    }
    // A claim that could take none of its keys is not worth a primitive.
    if (isNew && grown->keys.empty() && !declared) {
        if (result.handle.index < m_primitives.places())
            m_free.push_back(result.handle); // the handle was never published
        result.handle = noHandle;
        result.merge = Merge::Lost;
        return result;
    }
    if (anew && grown->keys.empty()) { // all keys belong to other primitives now
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
    // A declared primitive without keys so far, or with keys that do not contain its label.
    if (!isNew && !anew && known->label->isEmpty() && !claim.label->isEmpty())
        edit().label = claim.label;
    result.merge = isNew ? Merge::New : grown ? Merge::Grown : Merge::Known;
    if (grown) {
        m_size += isNew ? 1 : 0;
        noteId(*grown, result.handle);
        m_primitives[result.handle] = std::move(grown);
    }
    return result;
}

bool Registry::takeKey(const KeyRole& key, Handle taker, double confidence, Added& result)
{
    const Handle holder = findKey(key.key);
    if (holder != noHandle) {
        if (confidenceOf(holder) >= confidence)
            return false;
        takeFrom(holder, key.key, result);
    }
    m_byKey.insert(key.key, taker.index);
    return true;
}

double Registry::confidenceOf(Handle handle) const
{
    return isDoubted(handle) ? 0.0 : double((*m_primitives.find(handle))->confidence);
}

// A primitive that loses its main key is removed.
void Registry::takeFrom(Handle holder, const QByteArray& key, Added& result)
{
    const PrimitivePtr whole = m_primitives[holder];
    const Primitive& other = *whole;
    const bool main = !other.keys.empty() && other.keys.front().key == key;
    if (main) {
        result.lost.push_back(whole);
        remove(holder);
        result.removed.push_back(holder);
    } else {
        auto rest = std::make_shared<Primitive>(other);
        std::erase_if(rest->keys, [&](const KeyRole& k) { return k.key == key; });
        noteId(*rest, holder);
        m_byKey.remove(key, holder.index);
        m_primitives[holder] = std::move(rest);
        result.shrunk.push_back(holder);
    }
}

Registry::Added Registry::release(const QByteArray& key)
{
    Added result;
    if (const Handle holder = findKey(key); holder != noHandle)
        takeFrom(holder, key, result);
    return result;
}

void Registry::keep(Handle handle, DeclarationPtr declaration)
{
    PrimitivePtr& known = m_primitives[handle];
    m_doubted.remove(handle);
    if (known->declaration == declaration)
        return;
    auto kept = std::make_shared<Primitive>(*known);
    kept->declaration = std::move(declaration);
    known = std::move(kept);
}

void Registry::remove(Handle handle)
{
    const PrimitivePtr* known = m_primitives.find(handle);
    if (!known)
        return;
    for (const KeyRole& key : (*known)->keys)
        m_byKey.remove(key.key, handle.index);
    m_byId.remove((*known)->id);
    m_doubted.remove(handle);
    m_primitives.erase(handle);
    if (handle.index < m_states.size())
        m_states[handle.index] = {};
    --m_size;
    m_free.emplace_back(handle.index, handle.generation + 1);
}

Handle Registry::newHandle()
{
    if (m_free.empty())
        return Handle(m_primitives.places());
    const Handle handle = m_free.back();
    m_free.pop_back();
    return handle;
}

void Registry::doubt(Handle handle)
{
    if (contains(handle))
        m_doubted.insert(handle);
}

bool Registry::isDoubted(Handle handle) const
{
    return m_doubted.contains(handle);
}

const PrimitivePtr& Registry::primitive(Handle handle) const
{
    static const PrimitivePtr none;
    const PrimitivePtr* known = m_primitives.find(handle);
    return known ? *known : none;
}

const KeptState& Registry::keptState(Handle handle) const
{
    static const KeptState none;
    return contains(handle) && handle.index < m_states.size() ? m_states[handle.index] : none;
}

void Registry::setState(Handle handle, KeptState state)
{
    if (!contains(handle))
        return;
    if (handle.index >= m_states.size())
        m_states.resize(m_primitives.places());
    m_states[handle.index] = std::move(state);
}

} // namespace lk
