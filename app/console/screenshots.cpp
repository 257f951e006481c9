// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/screenshots.h"

#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/report/snapshot/snapshotreport.h"
#include "backend/report/snapshot/snapshottaker.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionstates.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/boards/boardpage.h"
#include "widgets/boards/primitivemodel.h"

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QTableView>

#include <cstdio>

namespace lk {

namespace {

// Long enough for charts that show something; the demo's window fills up in this time.
constexpr int recordDemoMs = 20'000;
constexpr int autoRequeueMs = 5'000;
constexpr int quietMs = 1'500;
constexpr qint64 writeModeMs = 5 * 60'000;
constexpr int patienceMs = 15'000; // for the first connection

QString fileName(const QString& board, ThemeChoice theme)
{
    return QStringLiteral("%1-%2.png")
        .arg(board.toLower(),
             theme == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light"));
}

// A horizon of reservations, or users by day.
bool showsMuch(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    const auto* pattern = state.as<PatternState>();
    return (limiter && !limiter->reserved.empty()) ||
           (pattern && pattern->rowsAre == PatternState::Rows::Counts);
}

} // namespace

Screenshots::Screenshots(Console& console, const ConsoleInvocation& invocation, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_invocation(invocation)
{
    m_quiet.setSingleShot(true);
    m_patience.setSingleShot(true);
    connect(&m_quiet, &QTimer::timeout, this, &Screenshots::take);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        fail({ErrorCode::Timeout, tr("waiting for the server")});
    });
    connect(&m_console, &Console::failed, this, &Screenshots::fail);
    connect(&m_console, &Console::sessionOpened, this, [this] {
        connect(m_console.session(), &Session::statusChanged, this, &Screenshots::onStatus);
    });
    const auto add = [this](Subject subject, int board) {
        for (ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            const auto wanted = ThemeChoice(int(m_invocation.theme));
            if (wanted == ThemeChoice::System || wanted == theme)
                m_shots.push_back({subject, board, theme});
        }
    };
    const int boards = m_console.window().boardCount();
    const int journal = boards - 1;
    for (int board = 0; board < journal; ++board)
        add(Subject::Board, board);
    if (m_invocation.demo) {
        for (Subject subject : {Subject::Plan, Subject::Receipt})
            add(subject, m_console.window().boardFor(PrimitiveTarget{Kind::Token, noHandle}));
    }
    add(Subject::Board, journal);
}

void Screenshots::start()
{
    if (!QDir().mkpath(m_invocation.folder)) {
        fail(
            {ErrorCode::FileError, tr("The folder %1 cannot be created").arg(m_invocation.folder)});
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

// Every board is read once, so that each has chosen what to show and its numbers are
// recorded from the start.
void Screenshots::prepare()
{
    m_prepared = true;
    m_patience.stop();
    const int boards = m_console.window().boardCount();
    for (int board = 0; board < boards; ++board) {
        QTimer::singleShot(1000 + board * 400, this, [this, board] {
            m_console.window().showBoard(board);
            if (auto* page = qobject_cast<BoardPage*>(m_console.window().boards()[size_t(board)]))
                QTimer::singleShot(300, page, [this, page] { selectRow(page); });
        });
    }
    QTimer::singleShot(m_invocation.demo ? recordDemoMs : autoRequeueMs, this, &Screenshots::next);
}

// Selects the worst row, as a user would. In the demo, the row that shows most.
void Screenshots::selectRow(BoardPage* page)
{
    const QAbstractItemModel* model = page->table()->model();
    for (int row = 0; m_invocation.demo && row < model->rowCount(); ++row) {
        const Handle handle = model->index(row, 0).data(PrimitiveModel::HandleRole).value<Handle>();
        const StatePtr state = m_console.session()->states().at(handle);
        if (!m_chosen.contains(page) && state && showsMuch(*state))
            m_chosen.insert(page, handle);
    }
    const auto chosen = m_chosen.constFind(page);
    if (chosen != m_chosen.cend())
        page->select(*chosen);
    else
        page->selectFirst(); // again: the first row may be about to disappear
}

void Screenshots::next()
{
    if (m_current >= m_shots.size())
        return finish();
    const Shot& shot = m_shots[m_current];
    if (m_console.theme().choice() != shot.theme)
        m_console.theme().choose(shot.theme);
    m_console.window().showBoard(shot.board);
    Board* board = m_console.window().boards()[size_t(shot.board)];
    if (auto* page = qobject_cast<BoardPage*>(board))
        selectRow(page);
    else
        board->selectFirst();
    if (shot.subject == Subject::Plan && !m_dialog)
        openPlan();
    if (shot.subject == Subject::Receipt && m_dialog)
        m_dialog->agree();
    if (shot.subject == Subject::Board && m_dialog)
        m_dialog->close();
    m_quiet.start(quietMs);
}

// The demo has a token that was never issued, always: its cleanup is the shortest of the plans.
void Screenshots::openPlan()
{
    Session* session = m_console.session();
    for (const auto& [handle, kept] : session->states().all()) {
        const StatePtr state = kept.state();
        const auto* token = state->as<TokenState>();
        if (!token || token->phase != TokenState::Phase::NeverIssued)
            continue;
        const Layout* layout = findLayout(state->primitive->id.layout);
        const Action* cleanup = layout ? findAction(*layout, "token.cleanup") : nullptr;
        session->acting().enableWriteMode(writeModeMs);
        m_dialog = ActionDialog::open(session, {cleanup, {state}, {}, {}, {}}, &m_console.window());
        return;
    }
}

// A dialog is drawn over its window, which stands back.
QPixmap Screenshots::picture(const Shot& shot) const
{
    if (QWidget* focused = m_console.window().focusWidget())
        focused->clearFocus(); // no picture shows keyboard focus
    // Completes pending layouts before drawing, as on a screen.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QPixmap whole = m_console.window().grab();
    if (shot.subject == Subject::Board || !m_dialog)
        return whole;
    const QPixmap dialog = m_dialog->grab();
    const QPoint corner((whole.width() - dialog.width()) / 2,
                        (whole.height() - dialog.height()) / 3);
    QPainter painter(&whole);
    painter.fillRect(whole.rect(), QColor(0, 0, 0, 110));
    painter.drawPixmap(corner, dialog);
    painter.setPen(m_dialog->palette().color(QPalette::Mid));
    painter.drawRect(QRect(corner, dialog.size()));
    return whole;
}

void Screenshots::take()
{
    const Shot& shot = m_shots[m_current++];
    Board* board = m_console.window().boards()[size_t(shot.board)];
    if (!qobject_cast<BoardPage*>(board))
        board->selectFirst(); // the journal is read only now
    const QString name = shot.subject == Subject::Plan ? QStringLiteral("plan")
                         : shot.subject == Subject::Receipt
                             ? QStringLiteral("receipt")
                             : m_console.window().boardTitle(shot.board);
    const QString path = QDir(m_invocation.folder).filePath(fileName(name, shot.theme));
    if (!picture(shot).save(path)) {
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
    auto* taker =
        new SnapshotTaker(m_console.session()->url(), m_console.session()->config(), clock);
    taker->setParent(this);
    connect(taker, &SnapshotTaker::finished, this,
            [](const std::shared_ptr<const Snapshot>& snapshot) {
                Output out;
                writeText(*snapshot, out);
                QApplication::exit(out.end(ExitDone));
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
