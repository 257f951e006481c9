// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "widgets/boards/possiblenotice.h"
#include "widgets/declare/configdialog.h"
#include "widgets/declare/possibledialog.h"

using namespace lk;
using test::ConsoleWindow;

// A possible lock that is not proven is shown in one quiet line. Once the user declares it, it is
// what the user says.
class TestPossible : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        m_server.lines({"FLUSHALL", "SET lock:a ef1f63c PX 600000", "SET lock:pool 7 PX 600000",
                        "SET lock:spare 8 PX 600000"});
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# by hand\n");
    }

    void notHereNotThere()
    {
        ConsoleWindow console(setup());
        QVERIFY(test::openBoard(console, test::Locks, QStringLiteral("lock:a"), 1));
        QCOMPARE(console.session().board().summary()->of(Kind::Lock).total, 1);
        QTRY_VERIFY(line(console, test::Locks).isVisible());
        QCOMPARE(line(console, test::Locks).text(), QStringLiteral("Possible locks: 2…"));
        QCOMPARE(line(console, test::Locks).accessibleName(), line(console, test::Locks).text());
        QVERIFY(!line(console, test::Queues).isVisibleTo(&console.page(test::Queues)));
        QVERIFY(console.detail(test::Locks).contains(QStringLiteral("likely")));
        test::shoot(console.window, QStringLiteral("possible-line"));
    }

    // By keys alone.
    void oneIsDeclared()
    {
        ConsoleWindow console(setup());
        applyEdits(console);
        PossibleDialog& list = openList(console);
        auto* table = list.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QCOMPARE(list.focusWidget(), table);
        QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("lock:pool"));
        test::shoot(list, QStringLiteral("possible"));
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_VERIFY(list.findChild<ConfigDialog*>());
        auto* dialog = list.findChild<ConfigDialog*>();
        QTRY_VERIFY(ConsoleWindow::texts(*dialog).contains(
            QStringLiteral("[[lock]]\nkey = \"lock:pool\"\nlayout = \"set-nx-px\"")));
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_COMPARE(console.session().board().summary()->of(Kind::Lock).total, 2);
        QTRY_COMPARE(table->model()->rowCount(), 1);
        QTest::keyClick(dialog, Qt::Key_Return); // what was written is read, and closed
        QVERIFY(contents().startsWith("# by hand\n"));
    }

    void oneIsNone()
    {
        {
            ConsoleWindow console(setup());
            applyEdits(console);
            PossibleDialog& list = openList(console);
            auto* table = list.findChild<QTableView*>();
            QTRY_COMPARE(table->model()->rowCount(), 2);
            table->selectRow(1);
            auto* ignore =
                ConsoleWindow::button<QPushButton>(list, QStringLiteral("This is not a lock…"));
            QVERIFY(ignore && ignore->isEnabled());
            QTest::mouseClick(ignore, Qt::LeftButton);
            QTRY_VERIFY(list.findChild<ConfigDialog*>());
            auto* dialog = list.findChild<ConfigDialog*>();
            QTRY_VERIFY(ConsoleWindow::texts(*dialog).contains(
                QStringLiteral("[[ignore]]\nkey = \"lock:spare\"")));
            QTest::keyClick(dialog, Qt::Key_Return);
            QTRY_COMPARE(table->model()->rowCount(), 1);
            QTRY_COMPARE(line(console, test::Locks).text(), QStringLiteral("Possible locks: 1…"));
        }
        ConsoleWindow console(setup()); // and lasts
        QVERIFY(test::openBoard(console, test::Locks, QStringLiteral("lock:a"), 1));
        QTRY_COMPARE(console.session().states().possible()->count(Kind::Lock), 1);
        QCOMPARE(console.session().states().possible()->named.front().key, QByteArray("lock:pool"));
    }

    void theLineGoesWithThem()
    {
        ConsoleWindow console(setup());
        QVERIFY(test::openBoard(console, test::Locks, QStringLiteral("lock:a"), 1));
        QTRY_VERIFY(line(console, test::Locks).isVisible());
        m_server.lines({"DEL lock:pool lock:spare"});
        console.session().polling().rescan();
        QTRY_VERIFY_WITH_TIMEOUT(!line(console, test::Locks).isVisible(), 15'000);
    }

private:
    static PossibleNotice& line(ConsoleWindow& console, int board)
    {
        return *console.page(board).findChild<PossibleNotice*>();
    }
    PossibleDialog& openList(ConsoleWindow& console)
    {
        static_cast<void>(test::openBoard(console, test::Locks, QStringLiteral("lock:a"), 1));
        PossibleNotice& quiet = line(console, test::Locks);
        static_cast<void>(QTest::qWaitFor([&] { return quiet.isVisible(); }));
        quiet.setFocus();
        QTest::keyClick(&quiet, Qt::Key_Space);
        auto* list = console.window.findChild<PossibleDialog*>();
        if (!list)
            qFatal("no list of what is possible");
        static_cast<void>(QTest::qWaitForWindowActive(list));
        return *list;
    }
    void applyEdits(ConsoleWindow& console) const
    {
        Session& session = console.session();
        connect(&session, &Session::configEdited, &session,
                [this, &session] { session.applyConfig(loadConfig(m_path).value()); });
    }
    QByteArray contents() const
    {
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    Session::Setup setup() const
    {
        Session::Setup setup = test::setupFor(m_server.url());
        setup.config = loadConfig(m_path).value();
        setup.configFile = m_path;
        return setup;
    }

    test::RedisServer m_server;
    QTemporaryDir m_folder;
    QString m_path = m_folder.filePath(QStringLiteral("lockkeeper.toml"));
};

LK_WIDGET_TEST(TestPossible);
#include "tst_possible.moc"
