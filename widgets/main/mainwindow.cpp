// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/mainwindow.h"

#include "backend/core/environment.h"
#include "backend/session/session.h"
#include "backend/text/errortext.h"
#include "backend/text/kindtitles.h"
#include "widgets/actions/actiondialog.h"
#include "widgets/actions/writemodeframe.h"
#include "widgets/actions/writemode.h"
#include "widgets/controls/returnkey.h"
#include "widgets/boards/boardpage.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/findings/findingspage.h"
#include "widgets/journal/journalpage.h"
#include "widgets/main/navigationbar.h"
#include "widgets/main/connectionbanner.h"
#include "widgets/main/sessionheader.h"
#include "widgets/main/statusline.h"
#include "widgets/controls/tabsequence.h"
#include "widgets/overview/overviewpage.h"
#include "widgets/server/serverpage.h"
#include "widgets/theme/icon.h"

#include <QActionGroup>
#include <QEvent>
#include <QKeyEvent>
#include <QMenuBar>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lk {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_rail(new NavigationBar)
    , m_header(new SessionHeader)
    , m_banner(new ConnectionBanner)
    , m_pages(new QStackedWidget)
    , m_status(new StatusLine)
    , m_overview(new OverviewPage)
    , m_findings(new FindingsPage)
    , m_server(new ServerPage)
    , m_journal(new JournalPage)
    , m_frame(new WriteModeFrame(this))
{
    setWindowTitle(tr("Lockkeeper"));
    setWindowIcon(applicationIcon());
    setMinimumSize(960, 600);
    resize(1280, 800);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    right->addWidget(m_header);
    right->addWidget(m_banner);
    right->addWidget(m_pages, 1);
    right->addWidget(m_status);
    auto* central = new QWidget;
    auto* layout = new QHBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_rail);
    layout->addLayout(right, 1);
    setCentralWidget(central);
    addMenus();
    connect(m_header, &SessionHeader::connectWanted, this, &MainWindow::connectWanted);
    connect(m_banner, &ConnectionBanner::passwordWanted, this, &MainWindow::passwordWanted);
    connect(m_rail, &NavigationBar::chosen, this, &MainWindow::showBoard);
    connect(m_overview, &OverviewPage::chosen, this, &MainWindow::goTo);
    connect(m_overview, &OverviewPage::boardWanted, this,
            [this](Kind kind, const QString& word) {
                goTo(kind, noHandle);
                if (const int board = boardOf(kind); board >= 0)
                    boardPage(board)->showWorst(word);
            });
    connect(m_overview, &OverviewPage::endingWanted, this,
            [this](Kind kind, const QString& filter) {
                goTo(kind, noHandle);
                if (const int board = boardOf(kind); board >= 0)
                    boardPage(board)->showEnding(filter);
            });
    connect(m_findings, &FindingsPage::chosen, this, &MainWindow::goTo);
    connect(m_findings, &FindingsPage::serverChosen, this,
            [this] { showBoard(boardOf(m_server)); });
    connect(m_findings, &FindingsPage::severalChosen, this,
            [this](Kind kind, const QString& filter) {
                goTo(kind, noHandle);
                if (const int board = boardOf(kind); board >= 0)
                    boardPage(board)->showOnly(filter);
            });
    showBoard(0);
}

QAction* MainWindow::addKey(QMenu* menu, const QString& group, const QString& text,
                            const QKeySequence& shortcut)
{
    auto* action = new QAction(text, this);
    action->setShortcut(shortcut);
    menu->addAction(action);
    QString plain = text;
    m_keys.append({group, shortcut, plain.remove(QLatin1Char('&'))});
    return action;
}

void MainWindow::addMenus()
{
    const QString server = tr("Server");
    QMenu* serverMenu = menuBar()->addMenu(tr("&Server"));
    connect(addKey(serverMenu, server, tr("&Connect…"), QKeySequence::New), &QAction::triggered,
            this, &MainWindow::connectWanted);
    connect(serverMenu->addAction(tr("Open the &demo")), &QAction::triggered, this,
            &MainWindow::demoWanted);
    serverMenu->addSeparator();
    connect(addKey(serverMenu, server, tr("&Rescan"), QKeySequence(Qt::Key_F5)),
            &QAction::triggered, this, [this] {
                if (m_session)
                    m_session->rescan();
            });
    connect(addKey(serverMenu, server, tr("&Stop the scan"), QKeySequence(Qt::SHIFT | Qt::Key_F5)),
            &QAction::triggered, this, [this] {
                if (m_session)
                    m_session->stopScan();
            });
    connect(addKey(serverMenu, server, tr("&Pause or resume"), QKeySequence(Qt::CTRL | Qt::Key_P)),
            &QAction::triggered, this, [this] {
                if (m_session)
                    m_session->setPaused(!m_session->paused());
            });
    connect(addKey(serverMenu, server, tr("Turn on &write mode…"),
                   QKeySequence(Qt::CTRL | Qt::Key_E)),
            &QAction::triggered, this, [this] { m_header->showWriteMode(); });
    connect(addKey(serverMenu, server, tr("Turn off write mo&de"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)),
            &QAction::triggered, this, [this] {
                if (m_session)
                    m_session->disableWriteMode();
            });
    m_undo = addKey(serverMenu, server, tr("&Undo the last action…"), QKeySequence::Undo);
    connect(m_undo, &QAction::triggered, this, [this] {
        if (m_session && !m_session->lastUndoable().isEmpty())
            ActionDialog::open(m_session, {nullptr, {}, {}, {}, m_session->lastUndoable()}, this);
    });
    serverMenu->addSeparator();
    connect(addKey(serverMenu, server, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q)), &QAction::triggered, this,
            &MainWindow::close);

    QMenu* boardMenu = menuBar()->addMenu(tr("&Boards"));
    addBoards();
    for (int i = 0; i < boardCount(); ++i) {
        QAction* action = addKey(boardMenu, tr("Boards"), boardTitle(i),
                                 QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)));
        connect(action, &QAction::triggered, this, [this, i] { showBoard(i); });
    }
    boardMenu->addSeparator();
    const QString table = tr("Table and charts");
    connect(addKey(boardMenu, table, tr("&Filter"), QKeySequence::Find), &QAction::triggered, this,
            [this] {
                if (BoardPage* page = boardPage(currentBoard()))
                    page->focusFilter();
                else if (m_pages->currentWidget() == m_findings)
                    m_findings->focusFilter();
                else if (m_pages->currentWidget() == m_journal)
                    m_journal->focusFilter();
            });
    connect(addKey(boardMenu, table, tr("P&in or unpin"),
                   QKeySequence(Qt::CTRL | Qt::Key_D)),
            &QAction::triggered, this, [this] {
                if (BoardPage* page = boardPage(currentBoard()))
                    page->toggleWatched();
            });
    connect(addKey(boardMenu, table, tr("R&eveal or hide the code"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)),
            &QAction::triggered, this, [this] {
                if (BoardPage* page = boardPage(currentBoard()))
                    page->toggleCode();
            });
    connect(addKey(boardMenu, table, tr("&Actions for the selection…"),
                   QKeySequence(Qt::CTRL | Qt::Key_Return)),
            &QAction::triggered, this, [this] {
                if (BoardPage* page = boardPage(currentBoard()))
                    page->showActions();
                else if (m_pages->currentWidget() == m_findings)
                    m_findings->mend();
            });
    connect(addKey(boardMenu, table, tr("&Copy selected rows"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)),
            &QAction::triggered, this, [this] {
                if (BoardPage* page = boardPage(currentBoard()))
                    page->copySelection();
                else if (m_pages->currentWidget() == m_findings)
                    m_findings->copySelection();
            });
    connect(addKey(boardMenu, table, tr("&Save the table as CSV…"), QKeySequence::Save),
            &QAction::triggered, this, [this] {
                if (BoardPage* page = boardPage(currentBoard()))
                    page->exportCsv();
                else if (m_pages->currentWidget() == m_findings)
                    m_findings->exportCsv();
            });
    m_keys.append({table, QKeySequence(Qt::Key_Return), tr("Job: view its payload")});
    m_keys.append({table, QKeySequence(Qt::Key_Delete), tr("Selected jobs: discard\u2026")});
    m_keys.append(chartKeyHints());

    addThemeMenu(menuBar()->addMenu(tr("&View")));
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    connect(addKey(help, tr("Help"), tr("&Keys and help"), QKeySequence::HelpContents),
            &QAction::triggered, this, &MainWindow::showHelp);
}

void MainWindow::addThemeMenu(QMenu* menu)
{
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {
        {ThemeChoice::System, tr("Colours as the &system")},
        {ThemeChoice::Light, tr("&Light colours")},
        {ThemeChoice::Dark, tr("&Dark colours")}};
    for (const auto& [choice, text] : choices) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(choice == ThemeChoice::System);
        group->addAction(action);
        m_themeActions.push_back(action);
        connect(action, &QAction::triggered, this,
                [this, choice = choice] { emit themeChosen(choice); });
    }
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    m_themeActions[size_t(choice)]->setChecked(true);
}

void MainWindow::addBoards()
{
    const auto add = [&](const QString& iconName, const QString& title, QWidget* page,
                         BoardPage* table) {
        const QKeySequence keys(Qt::CTRL | Qt::Key(Qt::Key_1 + int(m_boards.size())));
        const int id = m_rail->addBoard(iconName, title, keys.toString(QKeySequence::NativeText));
        m_pages->addWidget(page);
        m_boards.push_back({title, page, table, id});
    };
    add(QStringLiteral("overview"), tr("Overview"), m_overview, nullptr);
    for (Kind kind : allKinds) {
        auto* page = new BoardPage(kind);
        connect(page, &BoardPage::findingWanted, this, &MainWindow::goToFinding);
        add(kindIconName(kind), kindPluralTitle(kind), page, page);
    }
    add(QStringLiteral("finding"), tr("Findings"), m_findings, nullptr);
    add(QStringLiteral("server"), tr("Server"), m_server, nullptr);
    add(QStringLiteral("journal"), tr("Journal"), m_journal, nullptr);
}

int MainWindow::boardCount() const
{
    return int(m_boards.size());
}

QString MainWindow::boardTitle(int board) const
{
    return m_boards[size_t(board)].title;
}

BoardPage* MainWindow::boardPage(int board) const
{
    return m_boards[size_t(board)].table;
}

int MainWindow::boardOf(Kind kind) const
{
    const auto it = std::find_if(m_boards.begin(), m_boards.end(), [kind](const Board& board) {
        return board.table && board.table->kind() == kind;
    });
    return it == m_boards.end() ? -1 : int(it - m_boards.begin());
}

int MainWindow::currentBoard() const
{
    return m_pages->currentIndex();
}

void MainWindow::showBoard(int board)
{
    m_pages->setCurrentIndex(board);
    m_rail->setCurrent(m_boards[size_t(board)].railId);
    updateAttention();
}

void MainWindow::setSession(Session* session)
{
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    m_header->setSession(session);
    m_banner->setSession(session);
    m_status->setSession(session);
    m_overview->setSession(session);
    m_findings->setSession(session);
    m_server->setSession(session);
    m_journal->setSession(session);
    for (const Board& board : m_boards) {
        if (board.table)
            board.table->setSession(session);
    }
    if (m_session) {
        connect(m_session, &Session::summaryChanged, this, &MainWindow::updateRail);
        connect(m_session, &Session::findingsChanged, this, &MainWindow::updateFindings);
        connect(m_session, &Session::writeModeChanged, this, &MainWindow::updateArmed);
        connect(m_session, &Session::revealFailed, this, [this](const Error& error) {
            setNotice(tr("Code not shown: %1").arg(sentences(error)));
        });
        connect(m_session, &Session::receiptReady, this, &MainWindow::updateUndo);
        connect(m_session, &Session::firstSeenFailed, this, [this](const Error& error) {
            if (m_banner->hasNotice())
                return; // of a configuration that was refused, which weighs more
            setNotice(tr("How long jobs have been in progress is not kept for the next start: %1")
                          .arg(errorText(error)));
        });
    }
    setWindowTitle(session ? tr("%1 \u2013 Lockkeeper").arg(session->name()) : tr("Lockkeeper"));
    updateRail();
    updateFindings();
    updateArmed();
    updateUndo();
    updateAttention();
}

void MainWindow::updateUndo()
{
    m_undo->setEnabled(m_session && !m_session->lastUndoable().isEmpty());
}

void MainWindow::updateArmed()
{
    if (!m_session || !m_session->isWriteModeOn())
        return m_frame->hide();
    m_frame->showIn(isProduction(m_session->environment()) ? ColorRole::Danger
                                                           : ColorRole::Warning);
}

void MainWindow::setNotice(const QString& text)
{
    m_banner->setNotice(text);
}

// Only the board in front is fed, and none while the window cannot be seen.
void MainWindow::updateAttention()
{
    const bool seen = isVisible() && !isMinimized();
    for (size_t i = 0; i < m_boards.size(); ++i) {
        const bool active = seen && int(i) == m_pages->currentIndex();
        if (m_boards[i].table)
            m_boards[i].table->setActive(active);
    }
    const QWidget* current = m_pages->currentWidget();
    m_overview->setActive(seen && current == m_overview);
    m_findings->setActive(seen && current == m_findings);
    m_server->setActive(seen && current == m_server);
    m_journal->setActive(seen && current == m_journal);
    if (!seen && m_session)
        m_session->setAttention({}, noHandle);
}

void MainWindow::updateRail()
{
    const SummaryPtr digest = m_session ? m_session->summary() : nullptr;
    Health worst = Health::Idle;
    for (const Board& board : m_boards) {
        if (!board.table)
            continue;
        const KindSummary kind = digest ? digest->of(board.table->kind()) : KindSummary();
        m_rail->setCount(board.railId, digest ? kind.total : -1, kind.worst());
        worst = std::max(worst, kind.worst());
    }
    m_rail->setCount(m_boards.front().railId, -1, worst);
}

void MainWindow::updateFindings()
{
    const LiveFindingsPtr findings = m_session ? m_session->findings() : nullptr;
    m_rail->setFindings(m_boards[size_t(boardOf(m_findings))].railId,
                        findings ? findings->total() : -1,
                        findings ? findings->worst() : std::nullopt);
}

int MainWindow::boardOf(const QWidget* page) const
{
    const auto it = std::find_if(m_boards.begin(), m_boards.end(),
                                 [&](const Board& board) { return board.page == page; });
    return it == m_boards.end() ? -1 : int(it - m_boards.begin());
}

void MainWindow::goTo(Kind kind, Handle handle)
{
    const int board = boardOf(kind);
    if (board < 0)
        return;
    showBoard(board);
    if (handle != noHandle)
        boardPage(board)->select(handle);
}

void MainWindow::goToFinding(quint64 id)
{
    showBoard(boardOf(m_findings));
    m_findings->select(id);
}

void MainWindow::showHelp()
{
    auto* dialog = new HelpDialog(m_keys, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::WindowStateChange)
        updateAttention();
    QMainWindow::changeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    updateAttention();
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
        tabSequence({m_pages->currentWidget(), m_rail, m_header, m_banner, m_status});
    QWidget* to = nextByTab(sequence, focusWidget(), next);
    if (!to)
        return false;
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    updateAttention();
}

} // namespace lk
