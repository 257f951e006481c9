// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/discovery.h"

namespace lk {

Discovery::Discovery(const Config& config)
    : m_classifier(config)
{}

Discovery::Found Discovery::take(const ScanSlice& slice)
{
    Found found;
    found.decoded.reserve(slice.probes.size());
    for (const Probe& probe : slice.probes) {
        const std::optional<Classified> classified = m_classifier.classify(probe);
        if (!classified) {
            found.unclaimed.push_back(probe.name);
            continue;
        }
        const Registry::Added added = m_registry.add(*classified);
        found.removed.insert(found.removed.end(), added.removed.begin(), added.removed.end());
        found.toRead.insert(found.toRead.end(), added.shrunk.begin(), added.shrunk.end());
        if (added.merge == Registry::Merge::Lost || added.merge == Registry::Merge::Known)
            continue;
        std::optional<ReadOutcome> outcome;
        if (added.merge == Registry::Merge::New)
            outcome = decodeFromProbe(request(added.handle, Depth::Summary), probe);
        if (outcome)
            found.decoded.push_back(std::move(*outcome));
        else
            found.toRead.push_back(added.handle);
    }
    return found;
}

std::vector<Handle> Discovery::addDeclared()
{
    std::vector<Handle> added;
    for (const Classified& declared : m_classifier.declaredByName()) {
        const Registry::Added result = m_registry.add(declared);
        if (result.merge == Registry::Merge::New)
            added.push_back(result.handle);
    }
    return added;
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
