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

/// Returns the primitive's id in the recording. A token's id does not contain its code.
PrimitiveId recordedIdOf(const Primitive& primitive);

/// Returns the session's primitive with that id in the recording. If the layout is empty, returns
/// the one that has this key. noHandle if there is none.
Handle handleOfRecorded(const Session& session, Kind kind, const PrimitiveId& id);

/// The recorded history of a session's deployment. Each request has a ticket and is answered later
/// by the matching signal, with an empty answer if nothing is known. GUI thread.
class SessionHistory : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~SessionHistory() override;

    /// The first and the last recorded moment; 0: nothing was recorded.
    virtual qint64 firstMs() const = 0;
    virtual qint64 lastMs() const = 0;

    /// Creates a playback that begins at that moment, for a session in the past. It must live in
    /// thread(). known: the states whose handles the same primitives keep. The caller takes
    /// ownership.
    virtual Playback* makePlayback(qint64 atMs, HandleTable<KeptState> known) const = 0;
    virtual QThread* thread() const = 0;

    /// Reads as many points as make sense. metric as in Metric::id. NaN as in series.h.
    virtual quint64 askSeries(const PrimitiveId& id, const QByteArray& metric, qint64 fromMs,
                              qint64 toMs, int mostPoints) = 0;
    virtual quint64 askHolds(const PrimitiveId& id, qint64 fromMs, qint64 toMs) = 0;
    /// Reads the marks of one primitive and of the server, or of the whole deployment if the id is
    /// empty. Returns the most important ones if there are more than most.
    virtual quint64 askMarks(const PrimitiveId& id, qint64 fromMs, qint64 toMs, int most) = 0;
    /// Reads the next event after a moment, or the last before it, that is worth stepping to, with
    /// the other events of the same moment, most important first. The answer is empty if there is
    /// none.
    virtual quint64 askNeighbour(qint64 tMs, bool after) = 0;

    /// Reads the lines of one primitive's recorded life.
    virtual quint64 askLife(const Primitive& primitive, qint64 fromMs, qint64 toMs) = 0;

    /// The server's time minus this machine's at the last recording. For use until the server
    /// reports its time.
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
