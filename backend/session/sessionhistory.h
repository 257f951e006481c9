// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/history/holdlog.h"
#include "backend/history/series.h"
#include "backend/history/timemark.h"
#include "backend/session/past/timeline.h"

#include <QObject>

#include <vector>

class QThread;

namespace lk {

class Playback;
class Session;

/// What a primitive is called in the recording: of a token without its code.
PrimitiveId recordedIdOf(const Primitive& primitive);

/// The one that is called so in the recording, among what a session shows; with an empty layout the
/// one that has this key. noHandle: it is not there.
Handle handleOfRecorded(const Session& session, Kind kind, const PrimitiveId& id);

/// What was recorded of a session's deployment. Each question has a ticket and is answered later by
/// the signal of its name, with an empty answer where nothing is known. GUI thread.
class SessionHistory : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~SessionHistory() override;

    /// From the first to the last moment of which anything was recorded; 0: nothing was.
    virtual qint64 firstMs() const = 0;
    virtual qint64 lastMs() const = 0;

    /// Shows what was recorded, beginning with that moment; for a session in the past, in thread().
    /// known: by whose handles it tells of the same primitives. Owned by the caller.
    virtual Playback* makePlayback(qint64 atMs, HandleTable<KeptState> known) const = 0;
    virtual QThread* thread() const = 0;

    /// As many points as make sense; metric as in Metric::id. NaN as in series.h.
    virtual quint64 askSeries(const PrimitiveId& id, const QByteArray& metric, qint64 fromMs,
                              qint64 toMs, int mostPoints) = 0;
    virtual quint64 askHolds(const PrimitiveId& id, qint64 fromMs, qint64 toMs) = 0;
    /// Of one primitive and of the server; of all of the deployment where the id is empty. The most
    /// important where there are more than that.
    virtual quint64 askMarks(const PrimitiveId& id, qint64 fromMs, qint64 toMs, int most) = 0;
    /// The next event after a moment, or the last before it, that is worth being shown one after
    /// the other, with what happened at the same moment; the most important first. None: an empty
    /// answer.
    virtual quint64 askNeighbour(qint64 tMs, bool after) = 0;

    /// All that is known of one primitive's life, as lines.
    virtual quint64 askLife(const Primitive& primitive, qint64 fromMs, qint64 toMs) = 0;

    /// The server's time minus this machine's when it was recorded last: for as long as the server
    /// itself does not tell.
    virtual qint64 offsetMs() const = 0;

signals:
    void spanChanged();
    void seriesRead(quint64 ticket, const std::vector<lk::SeriesPoint>& points);
    void holdsRead(quint64 ticket, const std::vector<lk::Hold>& holds);
    void marksRead(quint64 ticket, const std::vector<lk::TimeMark>& marks);
    void lifeRead(quint64 ticket, const lk::Timeline& life);
    void neighbourRead(quint64 ticket, const std::vector<lk::TimeMark>& marks);
};

} // namespace lk
