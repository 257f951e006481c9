// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordwriter.h"
#include "backend/session/recording/sessionrecorder.h"
#include "tests/server/livesession.h"

namespace lk::test {

/// A live session that is recorded.
struct Recorded
{
    explicit Recorded(const ServerUrl& url, const QString& file, qint64 clockAheadMs = 0,
                      const Config& config = {}, const QString& alertFile = {})
        : path(file)
        , clock(clockAheadMs)
    {
        thread.start();
        writer = new RecordWriter({path, {}, &clock});
        writer->moveToThread(&thread);
        QMetaObject::invokeMethod(writer, &RecordWriter::start);
        live = std::make_unique<LiveSession>(url, config, path, ActionFiles(), MonitorLimits(),
                                             clockAheadMs, alertFile);
        recorder = std::make_unique<SessionRecorder>(**live, *writer, QString());
    }
    ~Recorded()
    {
        recorder.reset();
        live.reset();
        QMetaObject::invokeMethod(writer, &RecordWriter::stop);
        writer->deleteLater();
        endThread(thread);
    }
    void flush()
    {
        QMetaObject::invokeMethod(writer, &RecordWriter::flush, Qt::BlockingQueuedConnection);
    }

    QString path;
    WrongClock clock;
    QThread thread;
    RecordWriter* writer = nullptr;
    std::unique_ptr<LiveSession> live;
    std::unique_ptr<SessionRecorder> recorder;
};

} // namespace lk::test
