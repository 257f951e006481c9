// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "backend/session/sessionstates.h"
#include "tests/support/guisecluster.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/detail/jobs/dialog/jobdialog.h"
#include "widgets/main/header/connectionbanner.h"
#include "widgets/server/nodetable.h"
#include "widgets/server/slottable.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>

using namespace lk;
using namespace Qt::StringLiterals;
using test::ConsoleWindow;
using test::GuiseCluster;

namespace {

constexpr int patienceMs = 30'000;

QStringList column(const QTableView& table, int column)
{
    QStringList cells;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        cells << table.model()->index(row, column).data().toString();
    return cells;
}

} // namespace

// The Server board of a cluster: its nodes, and the busiest slots.
class TestClusterBoard : public QObject
{
    Q_OBJECT

private slots:
    void nodesAndHottestSlots();
    void keysOfAllDatabases();
    void largestSlots();
    void nothingOfSlotsWhereNobodyTells();
    void whereALockIsAndWhichNodeIsDown();
    void whereAJobIs();
    void nothingIsCut_data();
    void nothingIsCut();
    void whichNodeKeepsLess();
    void rowsComeAndGo();
    void whoIsDownIsNotTheHottest();
};

void TestClusterBoard::nodesAndHottestSlots()
{
    GuiseCluster cluster;
    std::array<qint64, test::RedisCluster::size> turns{};
    const auto knows = [&turns](int node, const Command& command) -> QByteArray {
        if (!test::asksForSlots(command, "CPU-USEC"))
            return {};
        const qint64 turn = ++turns[size_t(node)];
        const int first = node * 5462;
        return "*2\r\n" +
               test::slotStatsEntry(first + 866, {{"key-count", 1200 + node},
                                                  {"cpu-usec", 90'000'000 + turn * 700'000},
                                                  {"memory-bytes", 3'400'000},
                                                  {"network-bytes-in", 81'000'000},
                                                  {"network-bytes-out", 912'000'000}}) +
               test::slotStatsEntry(first + 12, {{"key-count", 7},
                                                 {"cpu-usec", 400'000 + turn * 9'000},
                                                 {"memory-bytes", 91'000},
                                                 {"network-bytes-in", 4'000},
                                                 {"network-bytes-out", 7'000}});
    };
    QVERIFY(cluster.start({"redis_version:8.2.3", {}}, knows));
    QVERIFY(cluster.cluster().addReplica(1));
    ConsoleWindow console(test::setupFor(cluster.url()));
    console.window.showBoard(test::ServerBoard);
    auto* nodes = console.window.findChild<NodeTable*>();
    auto* slots_ = console.window.findChild<SlotTable*>();
    QTRY_VERIFY_WITH_TIMEOUT(nodes->isVisible() && nodes->model()->rowCount() == 4, patienceMs);
    QCOMPARE(column(*nodes, NodeModel::RoleColumn).count(u"master"_s), 3);
    QCOMPARE(column(*nodes, NodeModel::RoleColumn).count(u"replica"_s), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!column(*nodes, NodeModel::MemoryColumn).front().isEmpty() &&
                                 !column(*nodes, NodeModel::LagColumn).join(QString()).isEmpty(),
                             patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(slots_->isVisible() && slots_->model()->rowCount() == 6, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!slots_->isColumnHidden(SlotModel::ShareColumn), patienceMs);
    const QString texts = ConsoleWindow::texts(*console.window.boards()[test::ServerBoard]);
    QVERIFY(texts.contains(u"Hottest slots"_s));
    QVERIFY(!texts.contains(u"cluster-slot-stats-enabled"_s));
    const int row = int(column(*slots_, SlotModel::NumberColumn).indexOf(u"866"_s));
    QVERIFY(row >= 0);
    const auto cell = [&](int of) { return slots_->model()->index(row, of).data().toString(); };
    QCOMPARE(cell(SlotModel::NodeColumn), cluster.endpoint(0));
    QCOMPARE(cell(SlotModel::KeysColumn), u"1,200"_s);
    QVERIFY2(cell(SlotModel::ShareColumn).endsWith(u" %"_s),
             qPrintable(cell(SlotModel::ShareColumn)));
    QVERIFY2(cell(SlotModel::CpuColumn).startsWith(u"1 m 3"_s),
             qPrintable(cell(SlotModel::CpuColumn)));
    QCOMPARE(cell(SlotModel::MemoryColumn), u"3.4 MB"_s);
    QCOMPARE(cell(SlotModel::InColumn), u"81.0 MB"_s);
    QCOMPARE(cell(SlotModel::OutColumn), u"912.0 MB"_s);
    test::shoot(console.window, QStringLiteral("cluster-server"));
}

// As Valkey 9 has them, and more than the usual sixteen.
void TestClusterBoard::keysOfAllDatabases()
{
    GuiseCluster cluster;
    QVERIFY(cluster.start({}, [&cluster](int node, const Command& command) -> QByteArray {
        if (command.args().front() != "INFO")
            return {};
        const QByteArray text = cluster.cluster().node(node).run({"INFO"}).text +
                                "db0:keys=2,expires=0,avg_ttl=0\r\n"
                                "db17:keys=40,expires=0,avg_ttl=0\r\n";
        return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
    }));
    ConsoleWindow console(test::setupFor(cluster.url()));
    console.window.showBoard(test::ServerBoard);
    auto* nodes = console.window.findChild<NodeTable*>();
    QTRY_COMPARE_WITH_TIMEOUT(column(*nodes, NodeModel::KeysColumn),
                              (QStringList{u"42"_s, u"42"_s, u"42"_s}), patienceMs);
}

void TestClusterBoard::largestSlots()
{
    GuiseCluster cluster;
    const auto knows = [](int node, const Command& command) -> QByteArray {
        if (test::asksForSlots(command, "CPU-USEC"))
            return "-ERR Unrecognized sort metric for ORDERBY.\r\n";
        if (test::asksForSlots(command, "KEY-COUNT"))
            return "*1\r\n" + test::slotStatsEntry(6000 * node, {{"key-count", 10 * node + 5}});
        return {};
    };
    QVERIFY(cluster.start({"redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.4", {}},
                          knows));
    ConsoleWindow console(test::setupFor(cluster.url()));
    console.window.showBoard(test::ServerBoard);
    auto* slots_ = console.window.findChild<SlotTable*>();
    QTRY_VERIFY_WITH_TIMEOUT(slots_->isVisible() && slots_->model()->rowCount() == 3, patienceMs);
    QCOMPARE(column(*slots_, SlotModel::NumberColumn),
             (QStringList{u"12,000"_s, u"6,000"_s, u"0"_s}));
    for (const int told : {SlotModel::ShareColumn, SlotModel::CpuColumn, SlotModel::MemoryColumn,
                           SlotModel::InColumn, SlotModel::OutColumn})
        QVERIFY(slots_->isColumnHidden(told));
    const QString texts = ConsoleWindow::texts(*console.window.boards()[test::ServerBoard]);
    QVERIFY(texts.contains(u"Largest slots"_s));
    QVERIFY(texts.contains(u"cluster-slot-stats-enabled"_s));
    test::shoot(console.window, QStringLiteral("cluster-largest-slots"));
}

void TestClusterBoard::nothingOfSlotsWhereNobodyTells()
{
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    ConsoleWindow console(test::setupFor(cluster.node(0).tcpUrl()));
    console.window.showBoard(test::ServerBoard);
    auto* nodes = console.window.findChild<NodeTable*>();
    QTRY_VERIFY_WITH_TIMEOUT(nodes->isVisible() && nodes->model()->rowCount() == 3, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(console.session().report().nodes.front().memoryBytes, patienceMs);
    QVERIFY(!console.window.findChild<SlotTable*>()->isVisible());
    const QString texts = ConsoleWindow::texts(*console.window.boards()[test::ServerBoard]);
    QVERIFY(!texts.contains(u"est slots"_s));
}

void TestClusterBoard::whereALockIsAndWhichNodeIsDown()
{
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    QByteArrayList names;
    for (int i = 0; i < test::RedisCluster::size; ++i) {
        cluster.node(i).line("CONFIG SET cluster-require-full-coverage no");
        names << cluster.nameOn(i, "lock:");
        cluster.node(i).run({"SET", names.back(), "ef1f63c", "PX", "6000000"});
    }
    ConsoleWindow console(test::setupFor(cluster.node(0).tcpUrl()));
    console.window.showBoard(test::Locks);
    QTRY_COMPARE_WITH_TIMEOUT(console.table(test::Locks).model()->rowCount(), 3, patienceMs);
    console.clickRow(test::Locks, QString::fromLatin1(names[1]));
    const QString node = u"127.0.0.1:%1"_s.arg(cluster.node(1).port());
    const QString place = u"%1 on %2"_s.arg(keySlot(names[1])).arg(node);
    const auto texts = [&] { return ConsoleWindow::texts(console.window); };
    QTRY_VERIFY_WITH_TIMEOUT(texts().contains(place), patienceMs);
    auto* banner = console.window.findChild<ConnectionBanner*>();
    QVERIFY(banner && !banner->isVisible());

    cluster.node(1).stop();
    QTRY_VERIFY_WITH_TIMEOUT(
        banner->isVisible() && banner->text().startsWith(u"No answer from "_s + node), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(texts().contains(u"unreadable"_s), patienceMs);
    QVERIFY(!texts().contains(u"nobody"_s)); // that is not known
    test::shoot(console.window, u"cluster-node-down"_s);
}

void TestClusterBoard::whereAJobIs()
{
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    const QByteArray stem = '{' + cluster.nameOn(1, "q:") + "}:email";
    test::RedisServer& server = cluster.node(1);
    server.run({"HSET", stem + ":meta", "version", "bullmq:5.34.0", "opts.maxLenEvents", "10000"});
    server.run({"XADD", stem + ":events", "*", "event", "added", "jobId", "7"});
    server.run({"HSET", stem + ":7", "name", "send", "data", "{}", "opts", "{}", "timestamp",
                "1795327726719"});
    server.run({"LPUSH", stem + ":wait", "7"});
    ConsoleWindow console(test::setupFor(cluster.node(0).tcpUrl()));
    console.window.showBoard(test::Queues);
    QTRY_COMPARE_WITH_TIMEOUT(console.table(test::Queues).model()->rowCount(), 1, patienceMs);
    const auto [handle, queue] = *console.session().states().all().begin();
    QueueJob item;
    item.facts.id = "7";
    item.fingerprint = fingerprintOf("7");
    JobDialog* dialog =
        JobDialog::open({&console.session(), handle, queue.state(), {}, item, {}}, &console.window);
    const QString place = u"%1 on 127.0.0.1:%2"_s.arg(keySlot(stem)).arg(cluster.node(1).port());
    QTRY_VERIFY_WITH_TIMEOUT(ConsoleWindow::texts(*dialog).contains(place), patienceMs);
    QVERIFY(ConsoleWindow::texts(*dialog).contains(QString::fromLatin1(stem + ":7")));
    test::shoot(*dialog, u"cluster-job"_s);
}

void TestClusterBoard::nothingIsCut_data()
{
    QTest::addColumn<int>("width");
    QTest::newRow("the smallest window") << 960;
    QTest::newRow("a usual one") << 1280;
    QTest::newRow("a wide one") << 1920;
}

// By its address a node is known; what has no room is reached by the scroll bar.
void TestClusterBoard::nothingIsCut()
{
    QFETCH(int, width);
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    QVERIFY(cluster.addReplica(0));
    ConsoleWindow console(test::setupFor(cluster.node(0).tcpUrl()));
    console.window.resize(width, 800);
    console.window.showBoard(test::ServerBoard);
    auto* nodes = console.window.findChild<NodeTable*>();
    QTRY_VERIFY_WITH_TIMEOUT(nodes->isVisible() && nodes->model()->rowCount() == 4, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!column(*nodes, NodeModel::LagColumn).join(QString()).isEmpty(),
                             patienceMs);
    int all = 0;
    for (int of = 0; of < NodeModel::ColumnTotal; ++of) {
        int wanted = 0;
        for (const QString& cell : column(*nodes, of)) {
            const QFontMetrics metrics(of == NodeModel::EndpointColumn ? monoFont(TextSize::Body)
                                                                       : nodes->font());
            wanted = std::max(wanted, metrics.horizontalAdvance(cell));
        }
        QVERIFY2(nodes->isColumnHidden(of) ||
                     nodes->columnWidth(of) >= wanted + 2 * RowDelegate::margin,
                 QByteArray::number(of).constData());
        all += nodes->isColumnHidden(of) ? 0 : nodes->columnWidth(of);
    }
    QVERIFY(all >= nodes->viewport()->width());
    // All rows are seen, also above a scroll bar.
    QVERIFY(nodes->viewport()->height() >= 4 * nodes->verticalHeader()->defaultSectionSize());
    test::shoot(console.window, u"cluster-nodes-%1"_s.arg(width));
}

void TestClusterBoard::whichNodeKeepsLess()
{
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    for (const int i : {0, 1})
        QCOMPARE(cluster.node(i).line("CONFIG SET appendonly yes").text, "OK");
    cluster.node(1).lines(
        {"CONFIG SET maxmemory 100mb", "CONFIG SET maxmemory-policy allkeys-lru"});
    ConsoleWindow console(test::setupFor(cluster.node(0).tcpUrl()));
    console.window.showBoard(test::ServerBoard);
    auto* nodes = console.window.findChild<NodeTable*>();
    // In no order that is ours: each of them has any free port.
    const auto kept = [&] {
        QStringList all = column(*nodes, NodeModel::DurabilityColumn);
        all.sort();
        return all;
    };
    QTRY_COMPARE_WITH_TIMEOUT(
        kept(), (QStringList{u"AOF, everysec"_s, u"AOF, everysec"_s, u"nothing"_s}), patienceMs);
    const auto endpoint = [&](int i) { return u"127.0.0.1:%1"_s.arg(cluster.node(i).port()); };
    const auto texts = [&] {
        return ConsoleWindow::texts(*console.window.boards()[test::ServerBoard]);
    };
    QTRY_VERIFY_WITH_TIMEOUT(texts().contains(u"This applies to "_s + endpoint(2) + u'.'),
                             patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(texts().contains(endpoint(1) + u": allkeys-lru"_s), patienceMs);
    test::shoot(console.window, u"cluster-durability"_s);
}

void TestClusterBoard::rowsComeAndGo()
{
    SlotModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto loads = [](int count) {
        SlotLoads all;
        for (int i = 0; i < count; ++i) {
            SlotLoad load;
            load.slot = i;
            load.keys = i;
            all.busiest.push_back(load);
        }
        return all;
    };
    for (const int count : {3, 3, 10, 0, 1}) {
        model.setLoads(loads(count));
        QCOMPARE(model.rowCount(), count);
        QCOMPARE(model.isReported(SlotModel::KeysColumn), count > 0);
        QVERIFY(!model.isReported(SlotModel::CpuColumn));
    }
}

// Whatever it had to do before.
void TestClusterBoard::whoIsDownIsNotTheHottest()
{
    std::vector<NodeFacts> nodes(3);
    for (size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].endpoint = u"10.0.0.%1:6379"_s.arg(i);
        nodes[i].reachable = i != 0;
        nodes[i].commandsPerSecond = 9000 / qint64(i + 1);
    }
    NodeModel model;
    model.setNodes(nodes, 0);
    const auto state = [&](int row) {
        return model.index(row, NodeModel::StateColumn).data().toString();
    };
    QCOMPARE(state(0), u"does not answer"_s);
    QCOMPARE(state(1), u"hottest"_s);
    QCOMPARE(state(2), u"up"_s);
}

LK_WIDGET_TEST(TestClusterBoard);
#include "tst_clusterboard.moc"
