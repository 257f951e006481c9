// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/session/endthread.h"
#include "backend/session/session.h"
#include "backend/session/sessionboard.h"
#include "tests/support/redisserver.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/boards/boardpage.h"
#include "widgets/controls/labels/elidedlabel.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/detail/pane/detailpane.h"
#include "widgets/main/mainwindow.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <QThread>
#include <QToolButton>

namespace lk::test {

enum Board {
    Overview,
    Limiters,
    Locks,
    Queues,
    Tokens,
    Patterns,
    FindingsBoard,
    AlertsBoard,
    ServerBoard,
    JournalBoard
};

inline Session::Setup setupFor(const ServerUrl& url, const QByteArray& toml = {})
{
    Session::Setup setup;
    setup.url = url;
    setup.config = parseConfig(toml, QStringLiteral("test.toml")).value();
    return setup;
}

inline constexpr auto sampleConfig = R"(
[[limiter]]
key = "quota:*"
layout = "fixed-window"
limit = 10
window = "5m"
[[lock]]
key = "lock:*"
layout = "set-nx-px"
[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "jobs:processing"
[[token]]
key = "code:*"
layout = "string-token"
)";

/// Three limiters (one full), four locks (one for ever), a queue, two tokens, a counter: eleven
/// primitives.
inline void fillWithSamples(RedisServer& server)
{
    server.lines({"FLUSHALL", "SET quota:a 10 PX 290000", "SET quota:b 4 PX 280000",
                  "SET quota:c 1 PX 270000", "SET lock:one owner-1 PX 600000",
                  "SET lock:two owner-2 PX 500000", "SET lock:zed owner-9 PX 700000",
                  "SET lock:orphan owner-1", "RPUSH jobs j1 j2 j3", "RPUSH jobs:processing p1 p2",
                  "SET code:a1fa5c S3CRET-PAYLOAD PX 90000", "SET code:be7a5d S3CRET-TOO PX 80000",
                  "SET orders:counter 42"});
}
inline constexpr int sampleCount = 11;

/// The text in a token's row: its code is not shown.
inline QString tokenRow(const char* name)
{
    return shownKey(Kind::Token, name);
}

/// The console's window over a session of its own with its two threads, shown and active. A server
/// is read from the first moment on.
class ConsoleWindow final
{
public:
    explicit ConsoleWindow(Session::Setup setup, const QSize& size = {1280, 800})
    {
        m_io.start();
        m_worker.start();
        m_journal.start();
        setup.ioThread = &m_io;
        setup.workerThread = &m_worker;
        setup.actionFiles.journalThread = &m_journal;
        setup.clock = &m_clock;
        m_session = std::make_unique<Session>(std::move(setup));
        window.resize(size);
        window.setSession(m_session.get());
        window.show();
        window.activateWindow();
        m_active = QTest::qWaitForWindowActive(&window) && waitForBoards();
        m_session->start();
    }
    ~ConsoleWindow()
    {
        window.setSession(nullptr);
        m_session.reset();
        endThread(m_io);
        endThread(m_journal);
        endThread(m_worker);
    }

    /// They are made while the window is shown already.
    bool waitForBoards()
    {
        return QTest::qWaitFor([this] {
            return std::all_of(window.boards().begin(), window.boards().end(),
                               [](const lk::Board* board) { return board->isBuilt(); });
        });
    }

    /// The first scan over the keys is done and its result has arrived.
    bool waitForScan(qint64 primitives = 1)
    {
        return m_active && QTest::qWaitFor(
                               [&] {
                                   return m_session->report().scan.complete &&
                                          m_session->board().summary() && total() >= primitives;
                               },
                               15'000);
    }
    qint64 total() const
    {
        qint64 sum = 0;
        for (const KindSummary& kind : m_session->board().summary()->kinds)
            sum += kind.total;
        return sum;
    }

    Session& session() { return *m_session; }
    BoardPage& page(int board) { return *qobject_cast<BoardPage*>(window.boards()[size_t(board)]); }
    QTableView& table(int board) { return *page(board).table(); }
    QLineEdit& filter(int board)
    {
        return *page(board).findChild<QLineEdit*>(QStringLiteral("filterField"));
    }

    /// The cells of a column, from the top; 0 is the name.
    QStringList cells(int board, int column = 0)
    {
        QStringList texts;
        const QAbstractItemModel& model = *table(board).model();
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, column).data().toString();
        return texts;
    }
    QStringList sortedNames(int board)
    {
        QStringList names = cells(board);
        names.sort();
        return names;
    }
    int rowOf(int board, const QString& name) { return int(cells(board).indexOf(name)); }

    void clickRow(int board, const QString& name, Qt::KeyboardModifiers modifiers = {})
    {
        const QModelIndex index = table(board).model()->index(rowOf(board, name), 0);
        QVERIFY2(index.isValid(), qPrintable(name));
        table(board).scrollTo(index);
        QTest::mouseClick(table(board).viewport(), Qt::LeftButton, modifiers,
                          table(board).visualRect(index).center());
    }
    void clickHeader(int board, int column)
    {
        QHeaderView* header = table(board).horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 20, header->height() / 2});
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        // A window manager activates the next window. Without one, a menu or dialog that has ended
        // stays active.
        const QWidget* active = QApplication::activeWindow();
        if (!active || !active->isVisible()) {
            QT_WARNING_PUSH
            QT_WARNING_DISABLE_DEPRECATED
            QApplication::setActiveWindow(&window);
            QT_WARNING_POP
        }
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &window, key, modifiers);
    }

    /// The texts of all labels below that are seen, one per line.
    static QString texts(const QWidget& root)
    {
        QStringList all;
        for (const QLabel* label : root.findChildren<QLabel*>()) {
            if (label->isVisible())
                all << label->text();
        }
        for (const ElidedLabel* label : root.findChildren<ElidedLabel*>()) {
            if (label->isVisible())
                all << label->text();
        }
        return all.join(QLatin1Char('\n'));
    }
    QString detail(int board)
    {
        return texts(*page(board).findChild<QWidget*>(QStringLiteral("detailPane")));
    }
    /// The detail pane's figures, from the left.
    QString figure(int board, int index)
    {
        return page(board).findChild<DetailPane*>()->findChild<FigureRow*>()->figure(index);
    }
    /// Fills in the file dialog like a user.
    static void fillInFileName(const QString& path)
    {
        QTRY_VERIFY(qobject_cast<QFileDialog*>(QApplication::activeModalWidget()));
        auto* field = QApplication::activeModalWidget()->findChild<QLineEdit*>();
        field->setText(path);
        QTest::keyClick(field, Qt::Key_Return);
    }
    QAction* action(const QString& text) const
    {
        for (QAction* action : window.findChildren<QAction*>()) {
            if (QString(action->text()).remove(QLatin1Char('&')) == text)
                return action;
        }
        return nullptr;
    }
    /// A button by what it says, or by its accessible name; seen ones only.
    template<typename Button = QAbstractButton>
    static Button* button(const QWidget& root, const QString& text)
    {
        for (Button* button : root.findChildren<Button*>()) {
            if (button->isVisible() && (button->text().remove(QLatin1Char('&')) == text ||
                                        button->accessibleName() == text))
                return button;
        }
        return nullptr;
    }

    MainWindow window;

private:
    // Outlives each console: a thread that keeps alerts may ask it while the console goes.
    static inline const SystemClock m_clock{};
    QThread m_io;
    QThread m_worker;
    QThread m_journal;
    std::unique_ptr<Session> m_session;
    bool m_active = false;
};

} // namespace lk::test
