// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/discovery.h"

#include "backend/config/configchange.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype mostStrays = 200'000;      // limit on names kept until the end of a scan
constexpr qsizetype mostUnclaimed = 1'000'000; // limit on hashes kept as long

} // namespace

Discovery::Discovery(const Config& config)
    : m_config(config)
    , m_classifier(config)
{}

Discovery::Found Discovery::take(ScanSlice& slice)
{
    Found found;
    found.decoded.reserve(slice.probes.size());
    constexpr size_t ahead = 6; // keys to prefetch: about the latency of memory
    for (size_t i = 0; i < slice.probes.size(); ++i) {
        const Probe& probe = slice.probes[i];
        if (i + ahead < slice.probes.size())
            m_registry.expect(slice.probes[i + ahead].name);
        take(probe,
             slice.results.empty() ? judge(m_classifier, probe) : std::move(slice.results[i]),
             found);
    }
    return found;
}

void Discovery::take(const Probe& probe, ProbeResult result, Found& found)
{
    if (!result.primitive && result.claim)
        judgeByForm(probe, result, found);
    if (!result.primitive)
        return keepApart(result.claim, probe.name, found);
    const Primitive& claim = *result.primitive;
    const bool declared = result.claim->declared;
    const std::vector<KeyRole>& keys = claim.keys;
    for (const KeyRole& key : keys) {
        m_strays.remove(key.key);
        m_possible.remove(key.key);
        const bool wasUnclaimed = !m_unclaimed.isEmpty() && m_unclaimed.remove(qHash(key.key));
        found.recovered += wasUnclaimed && key.key != probe.name ? 1 : 0;
    }
    m_possible.remove(probe.name);
    if (!declared && belongsToSurer(claim)) {
        ++found.members;
        return;
    }
    const Registry::Added added = m_registry.add(claim, declared, result.primitive);
    const bool isNew = added.merge == Registry::Merge::New;
    note(added, found);
    if (isNew)
        dropLesserNamesakes(added.handle, found);
    addNamed(result.named, found);
    // The first key of a new primitive is held, by it or by a surer one. Most keys are of that
    // sort.
    const bool isHeld = isNew && !keys.empty() && keys.front().key == probe.name;
    if (!isHeld && added.merge != Registry::Merge::Lost &&
        m_registry.findKey(probe.name) == noHandle)
        ++found.members;
    if (isNew)
        noteFound(*result.claim->layout, claim.id, added.handle);
    if (added.merge == Registry::Merge::Lost || added.merge == Registry::Merge::Known)
        return;
    const PrimitivePtr& taken = m_registry.primitive(added.handle);
    if (isNew && result.decoded &&
        (taken == result.primitive || taken->keys == result.primitive->keys)) {
        result.decoded->state.primitive = taken;
        result.decoded->handle = added.handle;
        found.decoded.push_back(std::move(*result.decoded));
    } else {
        found.toRead.push_back(added.handle);
    }
}

// Judges a key that does not prove itself, by others of its form or by its earlier changes.
void Discovery::judgeByForm(const Probe& probe, ProbeResult& result, Found& found)
{
    if (result.claim->further.way == FurtherProof::Way::None || isKnown(probe.name) ||
        ownerOf(probe.name) != noHandle)
        return;
    const KeyForms::Standing standing = m_forms.note(*result.claim, probe);
    for (const Classified& offered : m_forms.takeOffered()) {
        const QByteArray& key = offered.primitive.keys.front().key;
        if (!isKnown(key) && ownerOf(key) == noHandle)
            m_possible.add(offered, key);
    }
    std::vector<Classified> proven = m_forms.takeProven();
    std::erase_if(proven, [this](const Classified& one) {
        const QByteArray& key = one.primitive.keys.front().key;
        return isKnown(key) || ownerOf(key) != noHandle;
    });
    for (const Classified& one : proven) {
        for (const KeyRole& key : one.primitive.keys) {
            m_strays.remove(key.key);
            m_possible.remove(key.key);
            found.recovered += !m_unclaimed.isEmpty() && m_unclaimed.remove(qHash(key.key)) ? 1 : 0;
        }
    }
    addNamed(proven, found);
    found.rereads |= m_forms.takeUnkept();
    if (standing == KeyForms::Standing::Unknown) {
        result.claim.reset();
    } else if (standing == KeyForms::Standing::Proven) {
        result.claim = KeyForms::proven(std::move(*result.claim));
        result.primitive = std::make_shared<const Primitive>(std::move(result.claim->primitive));
        if (result.primitive->keys.front().key == probe.name)
            result.decoded = readProbe(*result.claim->layout, result.primitive, probe);
    }
}

// Two layouts distinguish a queue's keys by its other keys. The queue must not be listed twice
// before adopt() has seen all of them.
bool Discovery::belongsToSurer(const Primitive& part) const
{
    if (part.kind != Kind::Queue || part.keys.empty())
        return false;
    const Handle owner = ownerOf(part.keys.front().key);
    if (owner == noHandle)
        return false;
    const PrimitivePtr& whole = m_registry.primitive(owner);
    return whole->id.layout != part.id.layout && whole->confidence > part.confidence &&
           !m_registry.isDoubted(owner);
}

void Discovery::dropLesserNamesakes(Handle handle, Found& found)
{
    const PrimitivePtr surer = m_registry.primitive(handle);
    if (surer->kind != Kind::Queue)
        return;
    for (const auto& [layout, any] : m_found) {
        if (layout->id() == surer->id.layout)
            continue;
        const Handle other = m_registry.find({layout->id(), surer->id.name});
        const PrimitivePtr lesser = m_registry.primitive(other);
        if (!lesser || lesser->declaration || lesser->confidence >= surer->confidence)
            continue;
        found.members += qint64(lesser->keys.size());
        found.removed.push_back(other);
        found.lost.push_back(lesser);
        m_registry.remove(other);
    }
}

void Discovery::addNamed(const std::vector<Classified>& named, Found& found)
{
    for (const Classified& each : named) {
        const Registry::Added added = m_registry.add(each);
        note(added, found);
        if (added.merge == Registry::Merge::New)
            noteFound(*each.layout, each.primitive.id, added.handle);
        if (added.merge == Registry::Merge::New || added.merge == Registry::Merge::Grown)
            found.toRead.push_back(added.handle);
    }
}

// Keeps a key that is unclaimed or merely possible, unless it belongs to a known primitive.
void Discovery::keepApart(const std::optional<Classified>& classified, const QByteArray& key,
                          Found& found)
{
    if (isKnown(key)) // a primitive that was probed before named it
        return;
    if (classified && ownerOf(key) != noHandle) {
        ++found.members;
        return;
    }
    found.notRecognized.push_back(key);
    if (m_unclaimed.size() < mostUnclaimed)
        m_unclaimed.insert(qHash(key));
    if (m_strays.size() < mostStrays && m_partNames.mayBePart(key)) {
        m_strays.insert(key);
        m_hasNew = true;
    }
    if (classified)
        m_possible.add(*classified, key);
    else
        m_possible.remove(key);
    const Handle holder = m_registry.findKey(key);
    if (holder != noHandle && m_registry.isDoubted(holder))
        note(m_registry.release(key), found);
}

void Discovery::note(const Registry::Added& added, Found& found)
{
    m_hasNew |= added.merge == Registry::Merge::New || added.merge == Registry::Merge::Grown;
    found.removed.insert(found.removed.end(), added.removed.begin(), added.removed.end());
    found.lost.insert(found.lost.end(), added.lost.begin(), added.lost.end());
    found.toRead.insert(found.toRead.end(), added.shrunk.begin(), added.shrunk.end());
}

Discovery::Found Discovery::addDeclared()
{
    Found found;
    for (const Classified& declared : m_classifier.declaredByName()) {
        for (const KeyRole& key : declared.primitive.keys)
            m_possible.remove(key.key);
        const Registry::Added added = m_registry.add(declared);
        note(added, found);
        if (added.merge == Registry::Merge::New || added.merge == Registry::Merge::Grown)
            found.toRead.push_back(added.handle);
    }
    return found;
}

std::vector<Handle> Discovery::setConfig(const Config& config)
{
    const ConfigChange change(m_config, config);
    m_config = config;
    m_classifier = Classifier(config);
    std::vector<Handle> doubted;
    for (const auto& [handle, primitive] : m_registry.all()) {
        if (change.concerns(*primitive)) {
            m_registry.doubt(handle);
            doubted.push_back(handle);
        }
    }
    return doubted;
}

void Discovery::noteFound(const Layout& layout, const PrimitiveId& id, Handle handle)
{
    auto found = std::find_if(m_found.begin(), m_found.end(),
                              [&](const FoundLayout& f) { return f.layout == &layout; });
    if (found == m_found.end())
        found = m_found.insert(m_found.end(), {&layout, handle});
    if (!m_registry.contains(found->any))
        found->any = handle;
    if (const QByteArray stem = layout.stemOf(id.name); !stem.isEmpty()) {
        Handle& known = m_stems[{id.layout, stem}];
        if (!m_registry.contains(known))
            known = handle;
    }
}

// Returns the surest owner. A Bull queue also matches as the owner of its own counter, which may
// belong to a BullMQ queue found later.
Handle Discovery::ownerOf(const QByteArray& name) const
{
    Handle surest = noHandle;
    const auto take = [&](Handle owner) {
        if (surest == noHandle ||
            m_registry.primitive(owner)->confidence > m_registry.primitive(surest)->confidence)
            surest = owner;
    };
    for (const auto& [layout, any] : m_found) {
        for (const QByteArray& owner : layout->ownersOf(name)) {
            if (const Handle handle = m_registry.find({layout->id(), owner}); handle != noHandle) {
                take(handle);
                continue;
            }
            const Handle sharer =
                owner.isEmpty() ? any : m_stems.value({layout->id(), owner}, noHandle);
            if (m_registry.contains(sharer))
                take(sharer);
        }
    }
    return surest;
}

Discovery::Found Discovery::adopt()
{
    Found found;
    m_unclaimed.clear();
    if (!std::exchange(m_hasNew, false))
        return found;
    for (const QByteArray& name : std::exchange(m_strays, {})) {
        if (ownerOf(name) == noHandle || m_registry.findKey(name) != noHandle)
            continue;
        ++found.recovered;
        m_possible.remove(name);
    }
    for (const auto& [handle, primitive] : m_registry.all()) {
        const Primitive& part = *primitive;
        if (part.declaration || part.keys.empty())
            continue;
        const Handle owner = ownerOf(part.keys.front().key);
        if (owner == noHandle || owner == handle ||
            m_registry.primitive(owner)->id.layout == part.id.layout ||
            m_registry.primitive(owner)->confidence <= part.confidence)
            continue;
        found.members += qint64(part.keys.size());
        found.removed.push_back(handle);
        found.lost.push_back(primitive);
    }
    return found;
}

bool Discovery::isKnown(const QByteArray& name) const
{
    if (!m_registry.hasDoubted())
        return m_registry.hasKey(name);
    const Handle holder = m_registry.findKey(name);
    return holder != noHandle && !m_registry.isDoubted(holder);
}

Discovery::Found Discovery::judgeDoubted()
{
    Found found;
    if (!m_registry.hasDoubted())
        return found;
    for (const auto& [handle, known] : m_registry.all()) {
        if (!m_registry.isDoubted(handle))
            continue;
        const PrimitivePtr primitive = known;
        const std::optional<DeclarationPtr> declaration = m_classifier.unseen(*primitive);
        if (!declaration) {
            found.removed.push_back(handle);
            found.lost.push_back(primitive);
            continue;
        }
        m_registry.keep(handle, *declaration);
        found.toRead.push_back(handle);
    }
    return found;
}

ReadRequest Discovery::request(Handle handle, Depth depth) const
{
    ReadRequest request;
    request.handle = handle;
    request.primitive = m_registry.primitive(handle);
    request.previous = m_registry.state(handle);
    request.depth = depth;
    return request;
}

} // namespace lk
