// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/layouts/classifier.h"
#include "backend/monitor/keyspacescan.h"
#include "backend/monitor/reader.h"
#include "backend/monitor/registry.h"

namespace lk {

/// Turns probes into primitives: classifies, merges into the registry, and decodes at once what
/// the probe already answers. Counts what was matched. Pure but for the registry it keeps.
class Discovery
{
public:
    explicit Discovery(const Config& config);

    const Classifier& classifier() const { return m_classifier; }
    Registry& registry() { return m_registry; }
    const Registry& registry() const { return m_registry; }

    /// What one slice changed.
    struct Found
    {
        std::vector<ReadOutcome> decoded; ///< complete from the probe
        std::vector<Handle> toRead;       ///< new or grown, still to be read
        std::vector<Handle> removed;      ///< lost to a surer claim
        std::vector<QByteArray> unclaimed;
    };
    Found take(const ScanSlice& slice);

    /// Primitives that the operator declared by a plain name: there even while no key exists.
    std::vector<Handle> addDeclared();

    /// A request for the present state of a primitive.
    ReadRequest request(Handle handle, Depth depth) const;

private:
    Classifier m_classifier;
    Registry m_registry;
};

} // namespace lk
