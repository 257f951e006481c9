// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordreader.h"
#include "backend/history/recordwriter.h"
#include "backend/session/alerting/alertevents.h"
#include "backend/session/playback/recordedhistory.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/sessionalerts.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/timetravel/timebar.h"
#include "widgets/timetravel/timestrip.h"
#include "widgets/timetravel/timetravel.h"

#include <QLabel>
#include <QTemporaryDir>

#include <functional>

namespace lk::test {

/// The console's window over a session that is recorded, as the console makes it.
class RecordedConsole final
{
public:
    /// before: what others have recorded in that file, until now. sharedPath: another program's.
    explicit RecordedConsole(Session::Setup setup, const QSize& size = {1280, 800},
                             const std::function<void(const QString& path)>& before = {},
                             const QString& sharedPath = {})
        : m_path(sharedPath.isEmpty() ? m_folder.filePath(QStringLiteral("history.db"))
                                      : sharedPath)
        , m_writer(new RecordWriter({m_path, {}, &m_clock}))
        , m_reader(new RecordReader(m_path))
        , m_journal(setup.actionFiles.journal)
    {
        if (before)
            before(m_path);
        m_writing.start();
        m_reading.start();
        m_writer->moveToThread(&m_writing);
        m_reader->moveToThread(&m_reading);
        QMetaObject::invokeMethod(m_writer, &RecordWriter::start);
        if (!setup.alertFile.isEmpty()) {
            m_alerting.start();
            setup.alertThread = &m_alerting;
        }
        console = std::make_unique<ConsoleWindow>(std::move(setup), size);
        m_recorder = std::make_unique<SessionRecorder>(console->session(), *m_writer, m_journal);
        if (SessionAlerts* alerts = console->session().alerts())
            recordAlerts(*alerts, console->session(), *m_recorder,
                         [this](std::vector<RecordedEvent> events) {
                             m_recorder->addEvents(std::move(events));
                         });
        keepHistory(console->session(), *m_recorder, *m_reader, m_path);
    }
    ~RecordedConsole()
    {
        m_recorder.reset();
        console.reset();
        endThread(m_alerting);
        QMetaObject::invokeMethod(m_writer, &RecordWriter::stop, Qt::BlockingQueuedConnection);
        m_writer->deleteLater();
        m_reader->deleteLater();
        endThread(m_writing);
        endThread(m_reading);
    }

    const QString& path() const { return m_path; }
    const SessionRecorder& recorder() const { return *m_recorder; }
    TimeBar& bar() { return *console->window.findChild<TimeBar*>(); }
    TimeStrip& strip() { return bar().strip(); }
    TimeTravel& travel() { return console->window.timeTravel(); }
    qint64 nowMs() const { return console->session().serverNowMs(); }
    SessionHistory* history() const { return console->session().history(); }
    /// All until that moment is in the file.
    bool recordedUntil(qint64 tMs)
    {
        return QTest::qWaitFor([&] { return history() && history()->lastMs() >= tMs; }, 30'000);
    }
    /// Uses Ctrl+T, like a user.
    void typeTime(const QString& text)
    {
        console->press(Qt::Key_T, Qt::ControlModifier);
        auto* field = bar().findChild<QLineEdit*>(QStringLiteral("timeField"));
        QTRY_VERIFY(field->isVisible() && field->hasFocus());
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }
    /// "2026-11-22T03:12:40.250Z"
    static QString iso(qint64 tMs)
    {
        return QDateTime::fromMSecsSinceEpoch(tMs).toUTC().toString(Qt::ISODateWithMs);
    }
    /// Waits until the boards show that moment.
    bool shows(qint64 tMs)
    {
        return QTest::qWaitFor(
            [&] {
                const Session* shown = console->window.shownSession();
                return shown->isPast() && shown->serverNowMs() == tMs;
            },
            30'000);
    }

    std::unique_ptr<ConsoleWindow> console;

private:
    static inline const SystemClock m_clock{};
    QTemporaryDir m_folder;
    QString m_path;
    QThread m_writing;
    QThread m_reading;
    QThread m_alerting;     ///< runs if there is a file for alerts
    RecordWriter* m_writer; ///< lives in m_writing
    RecordReader* m_reader; ///< lives in m_reading
    QString m_journal;
    std::unique_ptr<SessionRecorder> m_recorder;
};

} // namespace lk::test
