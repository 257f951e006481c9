// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/recording.h"

#include "backend/history/recordreader.h"
#include "backend/history/recordwriter.h"
#include "backend/session/alerting/alertevents.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/endthread.h"
#include "backend/session/playback/recordedhistory.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/session.h"

#include <QFileInfo>

namespace lk {

bool isWritable(const QString& recordingPath)
{
    const QFileInfo file(recordingPath);
    return !file.exists() || file.isWritable();
}

Recording::Recording(const Clock& clock, const QString& path, const Retention& retention,
                     QObject* parent)
    : QObject(parent)
    , m_path(path)
    , m_writer(new RecordWriter({path, retention, &clock}))
    , m_reader(new RecordReader(path))
{
    m_writing.setObjectName(QStringLiteral("recording"));
    m_reading.setObjectName(QStringLiteral("recorded"));
    m_writing.start();
    m_reading.start();
    m_writer->moveToThread(&m_writing);
    m_reader->moveToThread(&m_reading);
    connect(m_writer, &RecordWriter::problem, this, [this](const Error& error) {
        if (m_recorders.empty()) // else the recorder shows it
            emit notRecorded(error);
    });
    connect(m_reader, &RecordReader::failed, this, &Recording::notRead);
}

Recording::~Recording()
{
    m_recorders.clear();
    QMetaObject::invokeMethod(m_writer, &RecordWriter::stop);
    m_writer->deleteLater();
    m_reader->deleteLater();
    endThread(m_writing);
    endThread(m_reading);
}

void Recording::show(Session& session)
{
    findHistory(session, *m_reader, m_path);
    SessionAlerts* alerts = session.alerts();
    if (!alerts || !isWritable(m_path))
        return;
    recordAlerts(*alerts, session, *this, [this, &session](std::vector<RecordedEvent> events) {
        const auto recorder = m_recorders.find(&session);
        if (recorder != m_recorders.end())
            return recorder->second->addEvents(std::move(events));
        // The recorder of that deployment, past or present, does not get these events.
        QMetaObject::invokeMethod(
            m_writer, [writer = m_writer, names = deploymentNames(session.url()),
                       events = std::move(events)] { writer->addEventsTo(names, events); });
    });
}

void Recording::add(Session& session, const QString& journal)
{
    if (m_recorders.contains(&session))
        return;
    if (!std::exchange(m_started, true))
        QMetaObject::invokeMethod(m_writer, &RecordWriter::start);
    auto recorder = std::make_unique<SessionRecorder>(session, *m_writer, journal);
    keepHistory(session, *recorder, *m_reader, m_path);
    m_recorders[&session] = std::move(recorder);
}

void Recording::remove(const Session& session)
{
    m_recorders.erase(&session);
}

void Recording::setRetention(const Retention& retention)
{
    QMetaObject::invokeMethod(m_writer,
                              [writer = m_writer, retention] { writer->setRetention(retention); });
}

} // namespace lk
