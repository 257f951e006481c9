// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/recording.h"

#include "backend/history/recordwriter.h"
#include "backend/session/endthread.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/session.h"

namespace lk {

Recording::Recording(const Clock& clock, const QString& path, QObject* parent)
    : QObject(parent)
    , m_writer(new RecordWriter({path, {}, &clock}))
{
    m_writing.setObjectName(QStringLiteral("recording"));
    m_writing.start();
    m_writer->moveToThread(&m_writing);
    QMetaObject::invokeMethod(m_writer, &RecordWriter::start);
}

Recording::~Recording()
{
    m_recorders.clear();
    QMetaObject::invokeMethod(m_writer, &RecordWriter::stop);
    m_writer->deleteLater();
    endThread(m_writing);
}

void Recording::add(Session& session, const QString& journal)
{
    m_recorders[&session] = std::make_unique<SessionRecorder>(session, *m_writer, journal);
}

void Recording::remove(const Session& session)
{
    m_recorders.erase(&session);
}

} // namespace lk
