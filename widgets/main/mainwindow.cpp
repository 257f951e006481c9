// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/mainwindow.h"

#include "backend/core/names/environment.h"
#include "backend/session/opensessions.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionpolling.h"
#include "backend/text/errortext.h"
#include "widgets/actions/writemode/writemodeframe.h"
#include "widgets/board/board.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/input/returnkey.h"
#include "widgets/controls/input/tabsequence.h"
#include "widgets/deployments/deploymentspage.h"
#include "widgets/deployments/deploymentswitcher.h"
#include "widgets/main/header/connectionbanner.h"
#include "widgets/main/header/deploymentmenu.h"
#include "widgets/main/header/sessionheader.h"
#include "widgets/main/makeboards.h"
#include "widgets/main/navigation/navigationbar.h"
#include "widgets/main/pinnedrows.h"
#include "widgets/main/statusline.h"
#include "widgets/main/windowmenus.h"
#include "widgets/search/searchdialog.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/timetravel/timebar.h"
#include "widgets/timetravel/timetravel.h"

#include <QEvent>
#include <QKeyEvent>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lk {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_boards(makeBoards())
    , m_navigation(new NavigationBar)
    , m_switcher(new DeploymentSwitcher)
    , m_deployments(new DeploymentsPage)
    , m_header(new SessionHeader)
    , m_banner(new ConnectionBanner)
    , m_pages(new QStackedWidget)
    , m_places(new QStackedWidget)
    , m_timeBar(new TimeBar)
    , m_status(new StatusLine)
    , m_travel(new TimeTravel(*m_timeBar, this))
    , m_frame(new WriteModeFrame(this))
    , m_menus(new WindowMenus(m_boards, this))
    , m_deploymentMenu(new DeploymentMenu(this))
    , m_pinned(new PinnedRows(this))
{
    setWindowTitle(tr("Lockkeeper"));
    setWindowIcon(applicationIcon());
    setMinimumSize(960, 600);
    resize(1280, 800);
    for (Board* board : m_boards) {
        m_navigation->addBoard(
            board, WindowMenus::boardKey(m_pages->count()).toString(QKeySequence::NativeText));
        m_pages->addWidget(board);
        connect(board, &Board::wanted, this, &MainWindow::open);
    }
    auto* right = new QVBoxLayout;
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    right->addWidget(m_switcher);
    right->addWidget(m_header);
    right->addWidget(m_banner);
    m_places->addWidget(m_pages);
    m_places->addWidget(m_deployments);
    right->addWidget(m_places, 1);
    right->addWidget(m_timeBar);
    right->addWidget(m_status);
    auto* central = new QWidget;
    rowIn(central, {}, 0, {m_navigation, {right, 1}});
    setCentralWidget(central);
    const auto bringToFront = [this](Session* session) {
        emit deploymentWanted(session);
        leaveOverview();
    };
    connect(m_switcher, &DeploymentSwitcher::wanted, this, bringToFront);
    connect(m_deploymentMenu, &DeploymentMenu::wanted, this, bringToFront);
    connect(m_deployments, &DeploymentsPage::wanted, this, bringToFront);
    connect(m_deployments, &DeploymentsPage::targetWanted, this, &MainWindow::openIn);
    connect(m_switcher, &DeploymentSwitcher::overviewWanted, this, &MainWindow::showDeployments);
    connect(m_deploymentMenu, &DeploymentMenu::overviewWanted, this, &MainWindow::showDeployments);
    connect(m_switcher, &DeploymentSwitcher::closeWanted, this, &MainWindow::closeWanted);
    connect(m_deploymentMenu, &DeploymentMenu::closeWanted, this, &MainWindow::closeWanted);
    connect(m_header, &SessionHeader::masterWanted, this, &MainWindow::masterWanted);
    connect(m_header, &SessionHeader::connectWanted, this, &MainWindow::connectWanted);
    connect(m_banner, &ConnectionBanner::passwordWanted, this, &MainWindow::passwordWanted);
    connect(m_banner, &ConnectionBanner::masterWanted, this, &MainWindow::masterWanted);
    connect(m_navigation, &NavigationBar::chosen, this, &MainWindow::showBoard);
    connect(m_menus, &WindowMenus::connectWanted, this, &MainWindow::connectWanted);
    connect(m_menus, &WindowMenus::demoWanted, this, &MainWindow::demoWanted);
    connect(m_menus, &WindowMenus::writeModeWanted, m_header, &SessionHeader::showWriteMode);
    connect(m_menus, &WindowMenus::helpWanted, this, &MainWindow::showHelp);
    connect(m_menus, &WindowMenus::searchWanted, this, &MainWindow::showSearch);
    connect(m_menus, &WindowMenus::boardWanted, this, &MainWindow::showBoard);
    connect(m_menus, &WindowMenus::commandWanted, this, [this](BoardCommand command) {
        if (!isOverAll())
            current()->run(command);
    });
    connect(m_menus, &WindowMenus::timeWanted, m_travel, &TimeTravel::openField);
    connect(m_menus, &WindowMenus::eventWanted, m_travel, &TimeTravel::goToEvent);
    connect(m_menus, &WindowMenus::liveWanted, m_travel, &TimeTravel::goLive);
    connect(m_travel, &TimeTravel::shownChanged, this, &MainWindow::showSession);
    connect(m_travel, &TimeTravel::arrived, this, &MainWindow::openThere);
    connect(m_travel, &TimeTravel::canTravelChanged, this,
            [this] { m_menus->setCanTravel(m_travel->canTravel()); });
    connect(m_menus, &WindowMenus::themeChosen, this, [this](ThemeChoice choice) {
        m_theme = choice;
        emit themeChosen(choice);
    });
    showBoard(0);
}

Board* MainWindow::current() const
{
    return m_boards[size_t(m_pages->currentIndex())];
}

QString MainWindow::boardTitle(int board) const
{
    return m_boards[size_t(board)]->title();
}

int MainWindow::currentBoard() const
{
    return m_pages->currentIndex();
}

QList<KeyHint> MainWindow::keys() const
{
    return m_menus->keys() + m_deploymentMenu->keys();
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    m_menus->setThemeChoice(choice);
}

void MainWindow::showBoard(int board)
{
    m_places->setCurrentWidget(m_pages);
    m_switcher->setOverviewShown(false);
    m_boards[size_t(board)]->ensureBuilt();
    m_pages->setCurrentIndex(board);
    m_navigation->setCurrent(board);
    m_menus->setCurrentBoard(current());
    updateActive();
}

int MainWindow::boardFor(const BoardTarget& target) const
{
    const auto it = std::find_if(m_boards.begin(), m_boards.end(),
                                 [&](const Board* board) { return board->shows(target); });
    return it == m_boards.end() ? -1 : int(it - m_boards.begin());
}

void MainWindow::open(const BoardTarget& target)
{
    if (const auto* moment = std::get_if<MomentTarget>(&target)) {
        m_wantedThere = *moment;
        return m_travel->goTo(moment->tMs);
    }
    if (const auto* master = std::get_if<MasterTarget>(&target)) {
        emit masterWanted(master->endpoint);
        return;
    }
    const int board = boardFor(target);
    if (board < 0)
        return;
    showBoard(board);
    current()->open(target);
}

void MainWindow::openThere(qint64 tMs)
{
    const MomentTarget there = std::exchange(m_wantedThere, {});
    const Session* shown = shownSession();
    if (there.tMs != tMs || !shown)
        return;
    const Handle handle = handleOfRecorded(*shown, there.kind, there.primitive);
    if (handle != noHandle)
        open(PrimitiveTarget{there.kind, handle});
}

void MainWindow::setOpenSessions(OpenSessions* sessions)
{
    m_open = sessions;
    m_switcher->setSessions(sessions);
    m_deploymentMenu->setSessions(sessions);
    m_deployments->setSessions(sessions);
    connect(sessions, &OpenSessions::changed, this, [this] {
        if (m_open->count() < 2)
            leaveOverview();
    });
}

bool MainWindow::isOverAll() const
{
    return m_places->currentWidget() == m_deployments;
}

void MainWindow::showDeployments()
{
    if (!m_open || m_open->count() < 2)
        return;
    m_places->setCurrentWidget(m_deployments);
    m_switcher->setOverviewShown(true);
    m_navigation->setCurrent(-1);
    m_menus->setCurrentBoard(nullptr);
    m_deployments->selectFront();
    updateActive();
}

void MainWindow::leaveOverview()
{
    if (isOverAll())
        showBoard(currentBoard());
}

void MainWindow::openIn(Session* session, const BoardTarget& target)
{
    emit deploymentWanted(session);
    if (m_session == session)
        open(target);
}

void MainWindow::setSession(Session* session)
{
    if (m_session) {
        m_session->disconnectAll(this);
        if (m_session != session)
            m_session->polling().setAttention({}, noHandle); // it goes on, with nothing on screen
    }
    m_session = session;
    m_header->setSession(session);
    m_banner->setSession(session);
    m_status->setSession(session);
    m_menus->setSession(session);
    m_pinned->setSession(session);
    m_travel->setSession(session); // back to live, first of all
    showSession(session);
    if (session)
        connectSession();
    setWindowTitle(session ? tr("%1 \u2013 Lockkeeper").arg(session->name()) : tr("Lockkeeper"));
    updateWriteMode();
    updateActive();
}

Session* MainWindow::shownSession() const
{
    return m_travel->shown();
}

// The header, the banner and the status line go on telling of the live one.
void MainWindow::showSession(Session* shown)
{
    if (shown && shown->isPast())
        PinnedRows::carryOver(*m_session, *shown);
    for (Board* board : m_boards)
        board->setSession(shown);
    m_menus->setPast(shown && shown->isPast());
    updateWriteMode();
    updateActive();
}

void MainWindow::connectSession()
{
    connect(&m_session->acting(), &SessionActing::writeModeChanged, this,
            &MainWindow::updateWriteMode);
    connect(&m_session->acting(), &SessionActing::revealFailed, this, [this](const Error& error) {
        setNotice(tr("Code not shown: %1").arg(sentences(error)));
    });
    connect(m_session, &Session::firstSeenFailed, this, [this](const Error& error) {
        if (m_banner->hasNotice())
            return; // of a configuration that was refused, which weighs more
        setNotice(tr("Job ages will be lost on restart: %1").arg(errorText(error)));
    });
}

void MainWindow::updateWriteMode()
{
    m_header->setPast(m_travel->isPast());
    if (m_travel->isPast())
        return m_frame->showPast();
    if (!m_session || !m_session->acting().isWriteModeOn())
        return m_frame->hide();
    m_frame->setAccessibleName(tr("Write mode: this window can change %1").arg(m_session->title()));
    m_frame->showIn(isProduction(m_session->environment()) ? ColorRole::Danger : ColorRole::Warning,
                    tr("Write mode: %1").arg(m_session->name()));
}

void MainWindow::setNotice(const QString& text)
{
    m_banner->setNotice(text);
}

// Only the board in front is fed, and none while the window cannot be seen.
void MainWindow::updateActive()
{
    const bool visible = isVisible() && !isMinimized();
    const bool seen = visible && !isOverAll();
    m_deployments->setActive(visible && isOverAll());
    for (Board* board : m_boards) {
        if (board != current())
            board->setActive(false);
    }
    current()->setActive(seen);
    if ((!seen || m_travel->isPast()) && m_session)
        m_session->polling().setAttention({}, noHandle);
}

void MainWindow::showHelp()
{
    auto* dialog = new HelpDialog(keys(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showSearch()
{
    QList<Session*> others = m_open ? m_open->all() : QList<Session*>();
    others.removeOne(m_session);
    auto* dialog = new SearchDialog(shownSession(), m_menus->commands(), this, others);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SearchDialog::wanted, this, &MainWindow::open);
    connect(dialog, &SearchDialog::wantedIn, this, &MainWindow::openIn);
    dialog->open();
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::WindowStateChange)
        updateActive();
    QMainWindow::changeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    updateActive();
    QTimer::singleShot(0, this, &MainWindow::buildNext);
}

// Builds the boards that were not shown yet, between other events, so that they are ready when they
// are opened.
void MainWindow::buildNext()
{
    const auto next = std::find_if(m_boards.begin(), m_boards.end(),
                                   [](Board* each) { return !each->isBuilt(); });
    if (next == m_boards.end())
        return;
    (*next)->ensureBuilt();
    QTimer::singleShot(0, this, &MainWindow::buildNext);
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    updateActive();
}

// Return presses what has the focus, as Space does.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (!pressFocused(*this, *event))
        QMainWindow::keyPressEvent(event);
}

// From a board's table to its details, to what can be done, and only then to the other boards.
bool MainWindow::focusNextPrevChild(bool next)
{
    const QList<QWidget*> sequence =
        tabSequence({isOverAll() ? static_cast<QWidget*>(m_deployments) : current(), m_timeBar,
                     m_navigation, m_switcher, m_header, m_banner, m_status});
    QWidget* to = nextByTab(sequence, focusWidget(), next);
    if (!to)
        return false;
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

} // namespace lk
