// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordreader.h"
#include "backend/session/sessionhistory.h"

#include <QHash>
#include <QTimer>

#include <functional>

namespace lk {

class Session;
class SessionRecorder;

/// A session's history from a RecordReader, which reads in a thread of its own and outlives this.
class RecordedHistory final : public SessionHistory
{
    Q_OBJECT

public:
    /// path: the reader's file.
    RecordedHistory(RecordReader& reader, QString path, QByteArray deployment,
                    QObject* parent = nullptr);
    ~RecordedHistory() override;

    const QByteArray& deployment() const { return m_deployment; }

    qint64 firstMs() const override { return m_firstMs; }
    qint64 lastMs() const override { return m_lastMs; }
    qint64 offsetMs() const override { return m_offsetMs; }
    Playback* makePlayback(qint64 atMs, HandleTable<KeptState> known) const override;
    QThread* thread() const override { return m_reader.thread(); }
    quint64 askSeries(const PrimitiveId& id, const QByteArray& metric, qint64 fromMs, qint64 toMs,
                      int mostPoints) override;
    quint64 askHolds(const PrimitiveId& id, qint64 fromMs, qint64 toMs) override;
    quint64 askMarks(const PrimitiveId& id, qint64 fromMs, qint64 toMs, int most) override;
    quint64 askNeighbour(qint64 tMs, bool after) override;
    quint64 askLife(const Primitive& primitive, qint64 fromMs, qint64 toMs) override;

private:
    void askSpan();
    /// Runs work in the reader's thread and answer in this one, if this object still exists.
    template<typename Answer>
    quint64 ask(std::function<Answer(RecordQueries&)> work,
                std::function<void(quint64, const Answer&)> answer);

    RecordReader& m_reader;
    const QString m_path;
    const QByteArray m_deployment;
    qint64 m_firstMs = 0;
    qint64 m_lastMs = 0;
    qint64 m_offsetMs = 0;
    quint64 m_lastTicket = 0;
    QTimer m_second;
    bool m_asking = false; ///< asking for the span
};

/// Gives the session the history of its deployment as soon as one exists, recorded by any program.
/// Finds it by the names of the session's URL, even while the server does not answer. The reader
/// outlives the session.
void findHistory(Session& session, RecordReader& reader, const QString& path);

/// Gives the session its history as soon as its recorder knows the deployment. path: the reader's
/// file. The reader outlives the session.
void keepHistory(Session& session, const SessionRecorder& recorder, RecordReader& reader,
                 const QString& path);

} // namespace lk
