// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace lk {

/// A current finding, with an id that it keeps as long as it lasts. Immutable; shared by threads.
struct LiveFinding
{
    quint64 id = 0;
    Handle handle =
        noHandle; ///< noHandle: it concerns several, which finding.name names, or the server
    Kind kind = Kind::Limiter;
    qint64 sinceMs = 0; ///< server time at which it was first seen; 0: not known, as for a
                        ///< moment that was not recorded
    Finding finding;
    bool boardless = false; ///< concerns the scan itself: no board shows anything of it
};

using LiveFindingPtr = std::shared_ptr<const LiveFinding>;

/// All findings of a session at one moment.
struct LiveFindings
{
    static constexpr size_t mostRows = 10'000;
    using Place = std::pair<Handle, quint32>; ///< the second is an index in rows

    qint64 atMs = 0;                     ///< server time
    std::vector<LiveFindingPtr> rows;    ///< worst first, the silenced ones last; bounded
    std::array<qint64, 3> bySeverity{};  ///< index: Finding::Severity; all that are not silenced
    std::map<QByteArray, qint64> byCode; ///< the same by code
    qint64 silenced = 0;
    qint64 checked = 0; ///< primitives that the rules read
    /// For each handle with findings that are not silenced: 1 + their worst severity.
    QHash<Handle, quint8> marks;
    std::vector<Place> places; ///< the rows that have a handle, sorted

    qint64 total() const { return bySeverity[0] + bySeverity[1] + bySeverity[2]; }
    std::optional<Finding::Severity> worst() const
    {
        for (size_t s = bySeverity.size(); s-- > 0;) {
            if (bySeverity[s] > 0)
                return Finding::Severity(s);
        }
        return std::nullopt;
    }
    /// Returns the worst severity that is not silenced; nothing if there is none.
    std::optional<Finding::Severity> worstOf(Handle handle) const
    {
        const quint8 mark = marks.value(handle, 0);
        return mark > 0 ? std::optional(Finding::Severity(mark - 1)) : std::nullopt;
    }
    /// Returns the handle's findings among the rows, worst first.
    std::vector<LiveFindingPtr> of(Handle handle) const
    {
        std::vector<LiveFindingPtr> found;
        for (auto it = std::lower_bound(places.begin(), places.end(), Place(handle, 0));
             it != places.end() && it->first == handle; ++it)
            found.push_back(rows[it->second]);
        return found;
    }
};

/// A finding of a past moment as recorded: without why and advice, which follow from its code.
struct PastFinding
{
    Finding finding;
    qint64 sinceMs = 0;
    Handle handle = noHandle; ///< as in LiveFinding
};

/// All findings of a past moment.
struct PastFindings
{
    qint64 atMs = 0; ///< that moment
    std::vector<PastFinding> open;
};

/// Returns the unique identity of a finding, as it is recorded. A token's code is left out.
QByteArray findingIdentity(const Finding& finding, Kind kind);

using LiveFindingsPtr = std::shared_ptr<const LiveFindings>;

} // namespace lk

Q_DECLARE_METATYPE(lk::LiveFindingsPtr)
Q_DECLARE_METATYPE(lk::PastFindings)
