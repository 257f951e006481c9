// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/windowmenus.h"

#include "backend/session/sessionacting.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/declare/recordingdialog.h"

#include <QActionGroup>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>

namespace lk {

WindowMenus::WindowMenus(const std::vector<Board*>& boards, QMainWindow* window)
    : QObject(window)
    , m_window(window)
{
    addServerMenu();
    addBoardsMenu(boards);
    addTimeMenu();
    addViewMenu();
    addHelpMenu();
    updateUndo();
}

QKeySequence WindowMenus::boardKey(int place)
{
    if (place > 9)
        return {};
    return Qt::CTRL | (place == 9 ? Qt::Key_0 : Qt::Key(Qt::Key_1 + place));
}

QAction* WindowMenus::add(QMenu* menu, const QString& group, const QString& text,
                          const QKeySequence& key)
{
    auto* action = new QAction(text, m_window);
    action->setShortcut(key);
    menu->addAction(action);
    QString plain = text;
    m_keys.append({group, key, plain.remove(QLatin1Char('&'))});
    return action;
}

void WindowMenus::addServerMenu()
{
    const QString group = tr("Server");
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Server"));
    const auto onSession = [&](const QString& text, const QKeySequence& key, auto function) {
        connect(add(menu, group, text, key), &QAction::triggered, this, [this, function] {
            if (m_session)
                function(*m_session);
        });
    };
    connect(add(menu, group, tr("&Connect…"), QKeySequence::New), &QAction::triggered, this,
            &WindowMenus::connectWanted);
    connect(menu->addAction(tr("Open the &demo")), &QAction::triggered, this,
            &WindowMenus::demoWanted);
    menu->addSeparator();
    onSession(tr("&Rescan"), Qt::Key_F5, [](Session& session) { session.polling().rescan(); });
    onSession(tr("&Stop the scan"), Qt::SHIFT | Qt::Key_F5,
              [](Session& session) { session.polling().stopScan(); });
    addPaceMenu(menu->addMenu(tr("Scan pa&ce")));
    connect(menu->addAction(tr("Memory &limit\u2026")), &QAction::triggered, this,
            &WindowMenus::askMemoryLimit);
    onSession(tr("&Pause or resume"), Qt::CTRL | Qt::Key_P,
              [](Session& session) { session.polling().setPaused(!session.polling().isPaused()); });
    m_writeMode = add(menu, group, tr("Turn on &write mode…"), Qt::CTRL | Qt::Key_E);
    connect(m_writeMode, &QAction::triggered, this, &WindowMenus::writeModeWanted);
    onSession(tr("Turn off write mo&de"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
              [](Session& session) { session.acting().disableWriteMode(); });
    m_undo = add(menu, group, tr("&Undo the last action…"), QKeySequence::Undo);
    connect(m_undo, &QAction::triggered, this, [this] {
        if (m_session && !m_session->acting().lastUndoable().isEmpty())
            ActionDialog::open(m_session, {nullptr, {}, {}, {}, m_session->acting().lastUndoable()},
                               m_window);
    });
    menu->addSeparator();
    connect(add(menu, group, tr("&Quit"), Qt::CTRL | Qt::Key_Q), &QAction::triggered, m_window,
            &QWidget::close);
}

void WindowMenus::addPaceMenu(QMenu* menu)
{
    auto* group = new QActionGroup(this);
    const std::pair<ScanPace, QString> choices[] = {
        {ScanPace::Polite, tr("&Polite: a tenth of each server, up to 1,000 commands per second")},
        {ScanPace::Normal, tr("&Normal: a third of each server, up to 5,000 commands per second, "
                              "1,500 if it is busy")},
        {ScanPace::Fast, tr("&Fast: for an otherwise idle server")}};
    for (const auto& [pace, text] : choices) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(pace == ScanPace::Normal);
        group->addAction(action);
        m_paces.insert(pace, action);
        connect(action, &QAction::triggered, this, [this, pace = pace] { setScanPace(pace); });
    }
}

void WindowMenus::setScanPace(std::optional<ScanPace> pace)
{
    m_pace = pace;
    m_paces.value(pace.value_or(ScanPace::Normal))->setChecked(true);
    if (m_session && pace)
        m_session->polling().setScanPace(*pace);
}

void WindowMenus::askMemoryLimit()
{
    constexpr qint64 mega = 1'000'000;
    constexpr int mostMb = 10'000'000;
    if (!m_session)
        return;
    bool chosen = false;
    const int mb = QInputDialog::getInt(
        m_window, tr("Memory limit"),
        tr("Stop the scan once this program uses this many megabytes (0: no limit):"),
        int(m_session->polling().memoryLimit() / mega), 0, mostMb, 100, &chosen);
    if (chosen)
        setMemoryLimit(mb * mega);
}

void WindowMenus::setMemoryLimit(std::optional<qint64> bytes)
{
    m_memoryLimit = bytes;
    if (m_session && bytes)
        m_session->polling().setMemoryLimit(*bytes);
}

void WindowMenus::addBoardsMenu(const std::vector<Board*>& boards)
{
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Boards"));
    m_search = add(menu, tr("Boards"), tr("&Search everything\u2026"), Qt::CTRL | Qt::Key_K);
    connect(m_search, &QAction::triggered, this, &WindowMenus::searchWanted);
    menu->addSeparator();
    for (int place = 0; place < int(boards.size()); ++place) {
        connect(add(menu, tr("Boards"), boards[size_t(place)]->title(), boardKey(place)),
                &QAction::triggered, this, [this, place] { emit boardWanted(place); });
    }
    menu->addSeparator();
    const QString group = tr("Table and charts");
    const auto command = [&](BoardCommand wanted, const QString& text, const QKeySequence& key) {
        QAction* action = add(menu, group, text, key);
        m_commands.insert(wanted, action);
        connect(action, &QAction::triggered, this, [this, wanted] { emit commandWanted(wanted); });
    };
    command(BoardCommand::FocusFilter, tr("&Filter"), QKeySequence::Find);
    command(BoardCommand::Pin, tr("P&in or unpin"), Qt::CTRL | Qt::Key_D);
    command(BoardCommand::RevealCode, tr("R&eveal or hide the code"),
            Qt::CTRL | Qt::SHIFT | Qt::Key_E);
    command(BoardCommand::Act, tr("&Actions for the selection…"), Qt::CTRL | Qt::Key_Return);
    command(BoardCommand::WhatHappened, tr("&What happened\u2026"), Qt::CTRL | Qt::Key_H);
    command(BoardCommand::CopyRows, tr("&Copy selected rows"), Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    command(BoardCommand::SaveTable, tr("&Save the table as CSV…"), QKeySequence::Save);
    m_keys.append({group, QKeySequence(Qt::Key_Return), tr("Open the selected queue or job")});
    m_keys.append({group, QKeySequence(Qt::Key_Delete), tr("Discard selected jobs\u2026")});
    m_keys.append(chartKeyHints());
}

void WindowMenus::addTimeMenu()
{
    const QString group = tr("Time travel");
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Time"));
    QAction* time = add(menu, group, tr("Show another &time…"), Qt::CTRL | Qt::Key_T);
    connect(time, &QAction::triggered, this, &WindowMenus::timeWanted);
    QAction* before = add(menu, group, tr("&Previous event"), Qt::ALT | Qt::Key_Left);
    connect(before, &QAction::triggered, this, [this] { emit eventWanted(false); });
    QAction* next = add(menu, group, tr("&Next event"), Qt::ALT | Qt::Key_Right);
    connect(next, &QAction::triggered, this, [this] { emit eventWanted(true); });
    m_live = add(menu, group, tr("Back to &live"), Qt::CTRL | Qt::SHIFT | Qt::Key_T);
    connect(m_live, &QAction::triggered, this, &WindowMenus::liveWanted);
    menu->addSeparator();
    m_recording = menu->addAction(tr("&Recording settings…"));
    connect(m_recording, &QAction::triggered, this, [this] {
        if (m_session)
            RecordingDialog::open(m_session, m_window);
    });
    m_travel = {time, before, next};
    m_keys.append(timeKeyHints());
    m_recording->setEnabled(false);
    setCanTravel(false);
    setPast(false);
}

void WindowMenus::setCanTravel(bool can)
{
    for (QAction* action : m_travel)
        action->setEnabled(can);
}

void WindowMenus::setPast(bool past)
{
    m_past = past;
    m_live->setEnabled(past);
    m_writeMode->setEnabled(!past);
    updateUndo();
}

void WindowMenus::addViewMenu()
{
    QMenu* menu = m_window->menuBar()->addMenu(tr("&View"));
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::System, tr("&System theme")},
                                                       {ThemeChoice::Light, tr("&Light theme")},
                                                       {ThemeChoice::Dark, tr("&Dark theme")}};
    for (const auto& [choice, text] : choices) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(choice == ThemeChoice::System);
        group->addAction(action);
        m_themes.insert(choice, action);
        connect(action, &QAction::triggered, this,
                [this, choice = choice] { emit themeChosen(choice); });
    }
}

void WindowMenus::addHelpMenu()
{
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Help"));
    connect(add(menu, tr("Help"), tr("&Keys and help"), QKeySequence::HelpContents),
            &QAction::triggered, this, &WindowMenus::helpWanted);
}

QList<QAction*> WindowMenus::commands() const
{
    QList<QAction*> all;
    const QList<QMenu*> menus = m_window->menuBar()->findChildren<QMenu*>();
    for (const QMenu* menu : menus) {
        for (QAction* action : menu->actions()) {
            if (!action->isSeparator() && action != m_search && action->isVisible())
                all << action;
        }
    }
    return all;
}

void WindowMenus::setThemeChoice(ThemeChoice choice)
{
    m_themes.value(choice)->setChecked(true);
}

void WindowMenus::setCurrentBoard(const Board* board)
{
    for (auto it = m_commands.begin(); it != m_commands.end(); ++it)
        it.value()->setEnabled(board && board->offers(it.key()));
}

void WindowMenus::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    if (m_session)
        connect(&m_session->acting(), &SessionActing::receiptReady, this, &WindowMenus::updateUndo);
    if (m_session && m_pace)
        m_session->polling().setScanPace(*m_pace);
    if (m_session && m_memoryLimit)
        m_session->polling().setMemoryLimit(*m_memoryLimit);
    m_recording->setEnabled(m_session);
    updateUndo();
}

void WindowMenus::updateUndo()
{
    m_undo->setEnabled(!m_past && m_session && !m_session->acting().lastUndoable().isEmpty());
}

} // namespace lk
