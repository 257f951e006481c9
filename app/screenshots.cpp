// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshots.h"

#include "app/snapshotcommand.h"
#include "backend/monitor/snapshotreport.h"
#include "backend/monitor/snapshottaker.h"
#include "widgets/boards/boardpage.h"
#include "widgets/journal/journalpage.h"

#include <QApplication>
#include <QDir>
#include <QFile>

#include <cstdio>

namespace lk {

namespace {

// Long enough for charts that show something; the demo's window fills up in this time.
constexpr int watchDemoMs = 20'000;
constexpr int watchMs = 5'000;
constexpr int settleMs = 1'500;
constexpr int patienceMs = 15'000; // for the first connection

QString fileName(const QString& board, ThemeChoice theme)
{
    return QStringLiteral("%1-%2.png").arg(board.toLower(),
                                           theme == ThemeChoice::Dark ? QStringLiteral("dark")
                                                                      : QStringLiteral("light"));
}

} // namespace

Screenshots::Screenshots(Console& console, const Invocation& invocation, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_invocation(invocation)
{
    m_settle.setSingleShot(true);
    m_patience.setSingleShot(true);
    connect(&m_settle, &QTimer::timeout, this, &Screenshots::take);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        fail({ErrorCode::Timeout, tr("waiting for the server")});
    });
    connect(&m_console, &Console::failed, this, &Screenshots::fail);
    connect(&m_console, &Console::sessionOpened, this, [this] {
        connect(m_console.session(), &Session::statusChanged, this, &Screenshots::onStatus);
    });
    for (ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const auto wanted = ThemeChoice(int(m_invocation.theme));
        if (wanted != ThemeChoice::System && wanted != theme)
            continue;
        for (int board = 0; board < m_console.window().boardCount(); ++board)
            m_shots.push_back({board, theme});
    }
}

void Screenshots::start()
{
    if (!QDir().mkpath(m_invocation.directory)) {
        fail({ErrorCode::FileError,
              tr("The folder %1 cannot be made").arg(m_invocation.directory)});
        return;
    }
    m_patience.start(patienceMs);
}

void Screenshots::onStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Lost && !m_prepared)
        fail(status.error);
    else if (status.phase == ConnectionStatus::Phase::Ready && !m_prepared)
        prepare();
}

// Every board is looked at once, so that each has chosen what to show and its numbers are
// recorded from the start.
void Screenshots::prepare()
{
    m_prepared = true;
    m_patience.stop();
    const int boards = m_console.window().boardCount();
    for (int board = 0; board < boards; ++board) {
        QTimer::singleShot(1000 + board * 400, this, [this, board] {
            m_console.window().showBoard(board);
            if (BoardPage* page = m_console.window().boardPage(board))
                QTimer::singleShot(300, page, &BoardPage::selectFirst);
        });
    }
    QTimer::singleShot(m_invocation.demo ? watchDemoMs : watchMs, this, &Screenshots::next);
}

void Screenshots::next()
{
    if (m_current >= m_shots.size())
        return finish();
    const Shot& shot = m_shots[m_current];
    if (m_console.theme().choice() != shot.theme)
        m_console.theme().choose(shot.theme);
    m_console.window().showBoard(shot.board);
    if (BoardPage* page = m_console.window().boardPage(shot.board))
        page->selectFirst();
    m_console.window().journalPage()->selectFirst();
    m_settle.start(settleMs);
}

void Screenshots::take()
{
    const Shot& shot = m_shots[m_current++];
    const QString path = QDir(m_invocation.directory)
                             .filePath(fileName(m_console.window().boardTitle(shot.board),
                                                shot.theme));
    if (!m_console.window().grab().save(path)) {
        fail({ErrorCode::FileError, tr("%1 could not be written").arg(path)});
        return;
    }
    next();
}

void Screenshots::finish()
{
    if (!m_invocation.printSnapshot) {
        QApplication::exit(ExitDone);
        return;
    }
    static const SystemClock clock;
    auto* taker = new SnapshotTaker(m_console.session()->url(), m_console.session()->config(),
                                    clock);
    taker->setParent(this);
    connect(taker, &SnapshotTaker::finished, this,
            [](const std::shared_ptr<const Snapshot>& snapshot) {
                QFile out;
                const bool ok = out.open(stdout, QIODevice::WriteOnly);
                writeText(*snapshot, out);
                QApplication::exit(ok && out.flush() ? ExitDone : ExitNoWay);
            });
    connect(taker, &SnapshotTaker::failed, this, &Screenshots::fail);
    taker->start();
}

void Screenshots::fail(const Error& error)
{
    if (!std::exchange(m_ended, true)) {
        const int code = reportError(error);
        // May come before the event loop runs.
        QMetaObject::invokeMethod(
            this, [code] { QApplication::exit(code); }, Qt::QueuedConnection);
    }
}

} // namespace lk
