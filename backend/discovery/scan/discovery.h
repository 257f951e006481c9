// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"
#include "backend/discovery/keyforms.h"
#include "backend/discovery/partnames.h"
#include "backend/discovery/possiblekeys.h"
#include "backend/discovery/registry.h"
#include "backend/discovery/scan/keyspacescan.h"
#include "backend/libraries/api/primitiveread.h"

#include <QSet>

namespace lk {

/// Turns probes into primitives: classifies keys, merges claims into the registry, and decodes
/// states for which the probe suffices. Counts the matches. Pure except for its registry.
class Discovery
{
public:
    explicit Discovery(const Config& config);

    const Classifier& classifier() const { return m_classifier; }
    Registry& registry() { return m_registry; }
    /// No further slices follow: frees the memory for look-ups.
    void endLookups() { m_registry.endLookups(); }
    const Registry& registry() const { return m_registry; }

    /// The changes made by one slice.
    struct Found
    {
        std::vector<ReadOutcome> decoded; ///< states decoded from the probe alone
        std::vector<Handle> toRead;       ///< new or grown, still to be read
        std::vector<Handle> removed;      ///< lost to a surer claim, or misclassified before
        std::vector<PrimitivePtr> lost;   ///< the primitives behind removed
        std::vector<QByteArray> notRecognized;
        qint64 recovered = 0; ///< keys of new primitives that were not recognized before
        qint64 members = 0;   ///< probed keys that are merely parts of a primitive
        bool rereads = false; ///< keys not recognized before have to be read again
    };
    /// Moves the results out of the slice; its counts stay. Judges probes that are not judged yet.
    Found take(ScanSlice& slice);
    Found take(ScanSlice&& slice) { return take(slice); }

    PossibleKeys& possible() { return m_possible; }
    /// True for an unclaimed key whose next value may prove its layout.
    bool isWatched(const QByteArray& name) const { return m_forms.isWatched(name); }

    /// Adds the primitives declared by a plain name, which exist even without a key.
    Found addDeclared();

    /// Sets a new configuration. Primitives that it classifies differently are doubted until their
    /// keys have been read again. Returns those.
    std::vector<Handle> setConfig(const Config& config);
    /// True if the name is claimed and not doubted.
    bool isKnown(const QByteArray& name) const;
    /// The known primitive that a key with that name is merely a part of: see Layout::ownersOf().
    Handle ownerOf(const QByteArray& name) const;
    /// Call it when all names were read. Assigns keys that came before the primitive they are a
    /// part of. Those were not recognized, which recovered counts, or were taken for a primitive,
    /// which removed and lost list and members counts.
    Found adopt();
    /// Call it when all names were read. Primitives that are still doubted could not be read, and
    /// are judged by name alone.
    Found judgeDoubted();

    /// A request for the present state of a primitive.
    ReadRequest request(Handle handle, Depth depth) const;

private:
    void take(const Probe& probe, ProbeResult result, Found& found);
    void addNamed(const std::vector<Classified>& named, Found& found);
    void noteFound(const Layout& layout, const PrimitiveId& id, Handle handle);
    void keepApart(const std::optional<Classified>& classified, const QByteArray& key,
                   Found& found);
    void judgeByForm(const Probe& probe, ProbeResult& result, Found& found);
    void note(const Registry::Added& added, Found& found);
    bool belongsToSurer(const Primitive& part) const;
    void dropLesserNamesakes(Handle handle, Found& found);

    Config m_config;
    Classifier m_classifier;
    Registry m_registry;
    PossibleKeys m_possible;
    KeyForms m_forms;
    bool m_hasNew = false;     ///< something was found since the last adopt()
    QSet<QByteArray> m_strays; ///< not recognized; may be parts of a layout's primitive
    PartNames m_partNames;
    QSet<size_t> m_unclaimed; ///< hashes of all names of this scan that were not recognized
    struct FoundLayout
    {
        const Layout* layout;
        Handle any; ///< any primitive of the layout: stands for an owner without a name
    };
    std::vector<FoundLayout> m_found; ///< the layouts that have, or had, a primitive
    /// By Layout::stemOf(), if not empty: one of the primitives that share it.
    QHash<PrimitiveId, Handle> m_stems;
};

} // namespace lk
