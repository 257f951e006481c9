// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"
#include "backend/discovery/keyspacescan.h"
#include "backend/discovery/registry.h"
#include "backend/layouts/read.h"

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
        std::vector<Handle> removed;    ///< lost to a surer claim, or not what they were taken for
        std::vector<PrimitivePtr> lost; ///< what these were
        std::vector<QByteArray> notRecognized;
        qint64 members = 0; ///< probed keys that are mere parts of a primitive
    };
    Found take(const ScanSlice& slice);

    /// Primitives that the operator declared by a plain name: there even while no key exists.
    Found addDeclared();

    /// Another configuration counts from now on: what it judges otherwise than the last is in doubt
    /// until its keys have been read again. Returns what that is.
    std::vector<Handle> setConfig(const Config& config);
    /// A name that is claimed, and not in doubt.
    bool isKnown(const QByteArray& name) const;
    /// The known primitive that a key of that name is a mere part of: see Layout::ownersOf().
    Handle ownerOf(const QByteArray& name) const;
    /// All names were read: what is still in doubt could not be, and is judged by its name alone.
    Found settle();

    /// A request for the present state of a primitive.
    ReadRequest request(Handle handle, Depth depth) const;

private:
    void addNamed(const Probe& probe, const Classified& claim, Found& found);
    void noteFound(const PrimitiveId& id, Handle handle);
    static void note(const Registry::Added& added, Found& found);

    Config m_config;
    Classifier m_classifier;
    Registry m_registry;
    std::vector<const Layout*> m_found; ///< those of which there is, or was, a primitive
    /// By Layout::stemOf(): one of those that share it.
    QHash<PrimitiveId, Handle> m_stems;
};

} // namespace lk
