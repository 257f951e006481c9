// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"
#include "backend/discovery/keyforms.h"
#include "backend/discovery/partnames.h"
#include "backend/discovery/possiblekeys.h"
#include "backend/discovery/registry.h"
#include "backend/discovery/scan/keyspacescan.h"
#include "backend/libraries/api/read.h"

#include <QSet>

namespace lk {

/// Turns probes into primitives: classifies, merges into the registry, and decodes at once what
/// the probe already answers. Counts what was matched. Pure but for the registry it keeps.
class Discovery
{
public:
    explicit Discovery(const Config& config);

    const Classifier& classifier() const { return m_classifier; }
    Registry& registry() { return m_registry; }
    /// Nothing further is taken in: what that needs is given back.
    void endLookups() { m_registry.endLookups(); }
    const Registry& registry() const { return m_registry; }

    /// What one slice changed.
    struct Found
    {
        std::vector<ReadOutcome> decoded; ///< complete from the probe
        std::vector<Handle> toRead;       ///< new or grown, still to be read
        std::vector<Handle> removed;    ///< lost to a surer claim, or not what they were taken for
        std::vector<PrimitivePtr> lost; ///< what these were
        std::vector<QByteArray> notRecognized;
        qint64 recovered = 0; ///< keys of new primitives that were not recognized before
        qint64 members = 0;   ///< probed keys that are mere parts of a primitive
        bool rereads = false; ///< what was not recognized before is to be read again
    };
    /// What its probes are judged to be is moved out of it; its counts stay as they are. Probes
    /// that are not judged yet are judged here.
    Found take(ScanSlice& slice);
    Found take(ScanSlice&& slice) { return take(slice); }

    PossibleKeys& possible() { return m_possible; }
    /// A key that is not claimed, whose next value may prove what it is.
    bool isWatched(const QByteArray& name) const { return m_forms.isWatched(name); }

    /// Primitives that the operator declared by a plain name: there even while no key exists.
    Found addDeclared();

    /// Another configuration counts from now on: what it judges otherwise than the last is in doubt
    /// until its keys have been read again. Returns what that is.
    std::vector<Handle> setConfig(const Config& config);
    /// A name that is claimed, and not in doubt.
    bool isKnown(const QByteArray& name) const;
    /// The known primitive that a key of that name is a mere part of: see Layout::ownersOf().
    Handle ownerOf(const QByteArray& name) const;
    /// All names were read. A key that came before the primitive that it is a part of was not
    /// recognized, or was taken for something of its own: recovered tells how many of the first
    /// there are, removed and lost tell the second, whose keys members counts.
    Found adopt();
    /// All names were read: what is still in doubt could not be, and is judged by its name alone.
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
    bool m_hasNew = false;     ///< since adopt() was last called something was found
    QSet<QByteArray> m_strays; ///< not recognized; some layout may know them for its parts
    PartNames m_partNames;
    QSet<size_t> m_unclaimed; ///< hashes of all names of this scan that were not recognized
    struct FoundLayout
    {
        const Layout* layout;
        Handle any; ///< whichever primitive of it: what an owner without a name is
    };
    std::vector<FoundLayout> m_found; ///< those of which there is, or was, a primitive
    /// By Layout::stemOf(), where it is not empty: one of those that share it.
    QHash<PrimitiveId, Handle> m_stems;
};

} // namespace lk
