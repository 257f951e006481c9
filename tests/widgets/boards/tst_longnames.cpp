// SPDX-License-Identifier: GPL-3.0-or-later
// Key names of a megabyte, and names made to break rows: shown by their beginning everywhere.
#include "backend/session/sessionboard.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"

#include <QAbstractItemView>
#include <QElapsedTimer>
#include <QLabel>
#include <QTemporaryDir>

using namespace lk;
using test::ConsoleWindow;

namespace {

constexpr int locks = 50;
constexpr int megabyte = 1024 * 1024;
constexpr qsizetype longestText = 8 * 1024; // of several names in one tip

// Labels, titles, fields, tips, what a screen reader is told, and the cells of all tables.
QStringList allTexts(QWidget& root)
{
    QStringList all;
    QWidgetList widgets = root.findChildren<QWidget*>();
    widgets.prepend(&root);
    for (QWidget* widget : widgets) {
        all << widget->windowTitle() << widget->toolTip() << widget->accessibleName()
            << widget->accessibleDescription();
        for (const char* property : {"text", "title", "plainText"})
            all << widget->property(property).toString();
        const auto* view = qobject_cast<QAbstractItemView*>(widget);
        for (int row = 0; view && view->model() && row < view->model()->rowCount(); ++row) {
            for (int column = 0; column < view->model()->columnCount(); ++column) {
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
                    all << view->model()->index(row, column).data(role).toString();
            }
        }
    }
    return all;
}

} // namespace

class TestLongNames : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        QVERIFY2(m_short.start(), m_short.output());
        for (int i = 0; i < locks; ++i) {
            const QByteArray number = QByteArray::number(i).rightJustified(3, '0');
            // Half of them for ever: each has a finding.
            for (auto* server : {&m_server, &m_short}) {
                Command set{"SET", "lock:" + number + ':' + padding(server), "owner-" + number};
                if (i % 2)
                    set << "PX"
                        << "3600000";
                server->run(set);
            }
        }
        m_console = std::make_unique<ConsoleWindow>(setupFor(m_server));
        QVERIFY(QTest::qWaitFor(
            [&] { return m_console->session().board().summary() && m_console->total() == locks; },
            60'000));
        m_shortConsole = std::make_unique<ConsoleWindow>(setupFor(m_short));
        QVERIFY(QTest::qWaitFor(
            [&] {
                return m_shortConsole->session().board().summary() &&
                       m_shortConsole->total() == locks;
            },
            60'000));
    }
    void cleanupTestCase()
    {
        m_console.reset();
        m_shortConsole.reset();
    }

    void everyTextIsShort_data()
    {
        QTest::addColumn<int>("board");
        QTest::newRow("overview") << int(test::Overview);
        QTest::newRow("locks") << int(test::Locks);
        QTest::newRow("findings") << int(test::FindingsBoard);
        QTest::newRow("journal") << int(test::JournalBoard);
    }
    void everyTextIsShort()
    {
        QFETCH(int, board);
        m_console->window.showBoard(board);
        if (board == test::Locks) {
            QTRY_COMPARE(m_console->table(board).model()->rowCount(), locks);
            m_console->table(board).selectRow(3);
            QTRY_VERIFY(m_console->detail(board).contains(QStringLiteral("lock:")));
        }
        QTest::qWait(0);
        bool named = board == test::JournalBoard;
        for (const QString& text : allTexts(m_console->window)) {
            QVERIFY2(text.size() <= longestText, qPrintable(text.left(200)));
            named = named || text.contains(QStringLiteral("lock:00"));
        }
        QVERIFY(named);
    }

    // From the form to the receipt: the name's beginning with its length, and nothing pushed aside
    // by it.
    void planAndReceipt_data()
    {
        QTest::addColumn<QByteArray>("environment");
        QTest::newRow("development") << QByteArray();
        QTest::newRow("production") << QByteArray("production");
    }
    void planAndReceipt()
    {
        QFETCH(QByteArray, environment);
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        const QByteArray name = "lock:long:" + QByteArray(megabyte, 'n');
        server.run({"SET", name, "owner-1", "PX", "3600000"});
        QTemporaryDir folder;
        Session::Setup setup = setupFor(server);
        setup.environment = QString::fromLatin1(environment);
        setup.actionFiles = {folder.filePath(QStringLiteral("journal.jsonl")),
                             folder.filePath(QStringLiteral("undo"))};
        ConsoleWindow console(setup);
        QVERIFY(console.waitForScan(1));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 1);
        console.table(test::Locks).selectRow(0);
        QVERIFY(test::enableWriteMode(console));
        test::act(console, QStringLiteral("Set lock TTL…"));
        QTRY_VERIFY(test::dialog(console));
        test::fill(console, QStringLiteral("ttl"), QStringLiteral("2h"));
        checkDialog(console);
        QTest::mouseClick(test::button(console, QStringLiteral("Plan")), Qt::LeftButton);
        QTRY_VERIFY(test::verb(console));
        checkDialog(console);
        test::shoot(*test::dialog(console), QStringLiteral("plan-long"));
        if (!environment.isEmpty()) {
            test::fill(console, QStringLiteral("reason"), QStringLiteral("OPS-1"));
            // The user does not have to type a megabyte.
            test::fill(console, QStringLiteral("typedName"), console.session().name());
        }
        QVERIFY(test::verb(console)->isEnabled());
        test::dialog(console)->agree();
        QTRY_COMPARE(test::receipt(console), QStringLiteral("Succeeded"));
        checkDialog(console);
        test::shoot(*test::dialog(console), QStringLiteral("receipt-long"));
        QVERIFY(server.run({"PTTL", name}).integer > 3'600'000);
        QTest::keyClick(test::dialog(console), Qt::Key_Escape);
        QTRY_VERIFY(!test::dialog(console));

        console.window.showBoard(test::JournalBoard);
        QTRY_VERIFY(allTexts(console.window).filter(QStringLiteral("lock:long:")).size() > 0);
        for (const QString& text : allTexts(console.window))
            QVERIFY2(text.size() <= longestText, qPrintable(text.left(200)));
    }

    // The cost of a name does not grow with its length: the test would notice a factor of a
    // hundred.
    void boardsChangeAsQuicklyAsWithShortNames()
    {
        const qint64 brief = changing(*m_shortConsole);
        const qint64 lengthy = changing(*m_console);
        qInfo("three boards with %d names of a megabyte: %.1f ms, with short names: %.1f ms", locks,
              double(lengthy) / 1e6, double(brief) / 1e6);
        QVERIFY2(lengthy < 5 * brief + 50'000'000, qPrintable(QStringLiteral("%1 ms against %2 ms")
                                                                  .arg(lengthy / 1'000'000)
                                                                  .arg(brief / 1'000'000)));
    }

    // Line separators and accents upon accents keep to their row.
    void rowsStayRows()
    {
        const QByteArray separated = "lock:line\xE2\x80\xA8of\xE2\x80\xA9two\nthree";
        QByteArray stacked = "lock:zalgo";
        for (int i = 0; i < 200; ++i)
            stacked += "\xCC\x81";
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        for (const QByteArray& name : {separated, stacked, QByteArray("lock:plain")})
            server.run({"SET", name, "me", "PX", "3600000"});
        ConsoleWindow console(setupFor(server));
        QVERIFY(console.waitForScan(3));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 3);
        const QFontMetrics metrics(console.table(test::Locks).font());
        const int height = metrics
                               .boundingRect(QRect(0, 0, 10'000, 1000), Qt::AlignLeft,
                                             QStringLiteral("lock:plain"))
                               .height();
        for (const QString& name : console.cells(test::Locks)) {
            QVERIFY2(!name.contains(QChar(0x2028)) && !name.contains(QChar(0x2029)) &&
                         !name.contains(QLatin1Char('\n')),
                     qPrintable(name));
            const QRect drawn =
                metrics.boundingRect(QRect(0, 0, 10'000, 1000), Qt::AlignLeft, name);
            QVERIFY2(drawn.height() <= height, qPrintable(name));
            QVERIFY2(metrics.tightBoundingRect(name).height() <=
                         console.table(test::Locks).rowHeight(0),
                     qPrintable(name));
        }
    }

private:
    static void checkDialog(ConsoleWindow& console)
    {
        const auto& dialog = *test::dialog(console);
        bool named = false;
        for (const QString& text : allTexts(*test::dialog(console))) {
            QVERIFY2(text.size() <= longestText, qPrintable(text.left(200)));
            named = named || (text.contains(QStringLiteral("lock:long:nnn")) &&
                              text.contains(QStringLiteral("1.0 MB")));
        }
        QVERIFY(named);
        QVERIFY2(dialog.width() <= console.window.width(),
                 qPrintable(QString::number(dialog.width())));
        QVERIFY2(dialog.height() <= console.window.height(),
                 qPrintable(QString::number(dialog.height())));
        QTRY_COMPARE(test::clippedTexts(dialog).join(QLatin1Char('|')), QString());
        for (const QLabel* label : dialog.findChildren<QLabel*>()) {
            const QRect there(label->mapTo(&dialog, QPoint()), label->size());
            QVERIFY2(!label->isVisible() || dialog.rect().right() >= there.right(),
                     qPrintable(label->text().left(200)));
        }
    }
    QByteArray padding(const test::RedisServer* server) const
    {
        return server == &m_server ? QByteArray(megabyte, 'n') : QByteArray("n");
    }
    static Session::Setup setupFor(const test::RedisServer& server)
    {
        Session::Setup setup =
            test::setupFor(server.url(), "[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n");
        setup.limits.otherCommandsPerSecond = 100'000;
        setup.limits.payloadBytesPerSecond = 1'000'000'000; // names of a megabyte: all at once here
        return setup;
    }
    // Nanoseconds in this thread to go through the boards and to draw each, with its tips.
    static qint64 changing(ConsoleWindow& console)
    {
        qint64 best = std::numeric_limits<qint64>::max();
        for (int turn = 0; turn < 5; ++turn) {
            QElapsedTimer clock;
            clock.start();
            for (const int board : {test::Locks, test::FindingsBoard, test::Overview}) {
                console.window.showBoard(board);
                console.window.grab();
            }
            best = std::min(best, clock.nsecsElapsed());
            QTest::qWait(0);
        }
        return best;
    }

    test::RedisServer m_server;
    test::RedisServer m_short;
    std::unique_ptr<ConsoleWindow> m_console;
    std::unique_ptr<ConsoleWindow> m_shortConsole;
};

LK_WIDGET_TEST(TestLongNames);
#include "tst_longnames.moc"
