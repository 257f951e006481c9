// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/console.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionstates.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/main/header/connectionbanner.h"

#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>

using namespace lk;
using namespace Qt::StringLiterals;
using test::ConsoleWindow;

namespace {

constexpr int patienceMs = 30'000;

} // namespace

// A plain connection whose master has become a replica, or that was made to a replica: it is said
// by name, actions are off with the reason, and a click opens the master in its place.
class TestOpenMaster : public QObject
{
    Q_OBJECT

public:
    static void initMain()
    {
        static const QTemporaryDir home;
        for (const char* name :
             {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            qputenv(name, home.path().toUtf8());
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus"); // no keyring
    }

private slots:
    void init()
    {
        m_next = std::make_unique<test::RedisServer>(quickReplicas());
        m_first = std::make_unique<test::RedisServer>(quickReplicas());
        for (test::RedisServer* server : {m_next.get(), m_first.get()}) {
            server->addTcp();
            QVERIFY2(server->start(), server->output());
            // The same user on both, and no other: who opens the new one has to have taken it
            // along.
            server->lines({"ACL SETUSER ops on >S3CRET ~* &* +@all", "ACL SETUSER default nopass"});
        }
        m_next->line("SET lock:next owner-2 NX PX 600000");
        m_first->line("SET lock:first owner-1 NX PX 600000");
        m_console = std::make_unique<Console>(*qApp);
        m_console->window().resize(1280, 800);
        m_console->window().show();
        m_console->window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_console->window()));
    }
    void cleanup() { m_console.reset(); }

    void ofAMasterThatWasDemoted()
    {
        open(*m_first);
        QTRY_VERIFY_WITH_TIMEOUT(session().info().role() == NodeRole::Master, patienceMs);
        demote();
        const QString master = endpoint(*m_next);
        QTRY_VERIFY_WITH_TIMEOUT(
            banner().text().startsWith(u"This server is now a replica of %1"_s.arg(master)),
            patienceMs);
        auto* go = ConsoleWindow::button<QPushButton>(window(), u"Connect to %1"_s.arg(master));
        QVERIFY(go && go->isVisible());
        QTest::mouseClick(go, Qt::LeftButton);
        isOpenedInItsPlace();
    }

    void ofAReplicaByTheWriteModeMenu()
    {
        demote();
        open(*m_first);
        QTRY_VERIFY_WITH_TIMEOUT(session().info().isReplica(), patienceMs);
        QVERIFY(!banner().isVisible()); // no warning to a user who opened the replica on purpose
        auto* menu = window().findChild<WriteModeButton*>()->menu();
        emit menu->aboutToShow();
        const QList<QAction*> actions = menu->actions();
        QVERIFY(actions.size() > 3);
        QVERIFY(!actions.front()->isEnabled());
        QVERIFY(actions.front()->toolTip().contains(u"run actions on its master"_s));
        QAction* go = actions.back();
        QVERIFY(go->isEnabled());
        QVERIFY2(go->text().endsWith(endpoint(*m_next)), qPrintable(go->text()));
        go->trigger();
        isOpenedInItsPlace();
        emit menu->aboutToShow(); // of a master there is nothing to offer
        for (const QAction* action : menu->actions())
            QVERIFY(!action->text().contains(u"its master"_s));
    }

    void ofAReplicaByTheServerBoard()
    {
        demote();
        open(*m_first);
        QTRY_VERIFY_WITH_TIMEOUT(session().info().isReplica(), patienceMs);
        window().showBoard(test::ServerBoard);
        const auto go = [this] {
            return ConsoleWindow::button<QPushButton>(*window().boards()[test::ServerBoard],
                                                      u"Connect to %1"_s.arg(endpoint(*m_next)));
        };
        QTRY_VERIFY_WITH_TIMEOUT(go() && go()->isVisible(), patienceMs);
        test::shoot(window(), QStringLiteral("replica-server"));
        QTest::mouseClick(go(), Qt::LeftButton);
        isOpenedInItsPlace();
        QTRY_VERIFY_WITH_TIMEOUT(
            ConsoleWindow::texts(*window().boards()[test::ServerBoard]).contains(u"A master"_s),
            patienceMs);
        QVERIFY(!go() || !go()->isVisible());
    }

    void ofAClustersReplicaThatIsLookedAtAlone()
    {
        test::RedisCluster cluster;
        QVERIFY(cluster.start());
        const test::RedisServer* replica = cluster.addReplica(0);
        QVERIFY(replica);
        const QByteArray name = cluster.nameOn(2, "lock:");
        cluster.node(2).run({"SET", name, "me", "PX", "600000"});
        ConnectionChoice choice;
        choice.url = replica->tcpUrl();
        choice.url.deployment = ServerUrl::Deployment::Node;
        choice.name = u"orders"_s;
        m_console->open(choice);
        QTRY_VERIFY_WITH_TIMEOUT(session().info().isReplica(), patienceMs);
        window().showBoard(test::ServerBoard);
        const auto go = [this] {
            return ConsoleWindow::button<QPushButton>(*window().boards()[test::ServerBoard],
                                                      u"Open the cluster"_s);
        };
        QTRY_VERIFY_WITH_TIMEOUT(go() && go()->isVisible(), patienceMs);
        QTest::mouseClick(go(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_console->session() && session().report().nodes.size() == 4,
                                 patienceMs);
        QCOMPARE(m_console->sessions().count(), 1);
        QCOMPARE(session().name(), u"orders"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!session().states().handlesWith({name}).empty(), patienceMs);
    }

private:
    static QStringList quickReplicas() { return {u"--repl-diskless-sync-delay"_s, u"0"_s}; }
    static QString endpoint(const test::RedisServer& server)
    {
        return u"127.0.0.1:%1"_s.arg(server.port());
    }
    void demote()
    {
        m_first->run({"REPLICAOF", "127.0.0.1", QByteArray::number(m_next->port())});
        QTRY_VERIFY_WITH_TIMEOUT(
            m_first->line("INFO replication").text.contains("master_link_status:up"), patienceMs);
    }
    void open(const test::RedisServer& server)
    {
        ConnectionChoice choice;
        choice.url = server.tcpUrl();
        choice.url.user = u"ops"_s;
        choice.url.password = u"S3CRET"_s;
        choice.url.database = 0;
        choice.name = u"orders"_s;
        choice.environment = u"staging"_s;
        m_console->open(choice);
    }
    // With the same name, label and login, and its own data; the other is gone.
    void isOpenedInItsPlace()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_console->session() && session().url().port == m_next->port() &&
                                     session().status().phase == ConnectionStatus::Phase::Ready,
                                 patienceMs);
        QCOMPARE(m_console->sessions().count(), 1);
        QCOMPARE(window().session(), &session());
        QCOMPARE(session().name(), u"orders"_s);
        QCOMPARE(session().environment(), u"staging"_s);
        QCOMPARE(session().url().user, u"ops"_s);
        QVERIFY(!session().acting().isWriteModeOn());
        QTRY_COMPARE_WITH_TIMEOUT(session().info().role(), NodeRole::Master, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!session().states().handlesWith({"lock:next"}).empty(),
                                 patienceMs);
        QTRY_VERIFY(!banner().isVisible());
    }

    MainWindow& window() { return m_console->window(); }
    Session& session() { return *m_console->session(); }
    ConnectionBanner& banner() { return *window().findChild<ConnectionBanner*>(); }

    std::unique_ptr<test::RedisServer> m_next;
    std::unique_ptr<test::RedisServer> m_first;
    std::unique_ptr<Console> m_console;
};

LK_WIDGET_TEST(TestOpenMaster);
#include "tst_openmaster.moc"
