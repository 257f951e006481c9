// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/keyspacescan.h"
#include "backend/libraries/api/layout.h"
#include "backend/polling/reader.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

constexpr qint64 localMs = 1'700'000'000'000;
constexpr qint64 aheadMs = 3'600'000; // an hour: what a time zone set by hand makes

Reply integer(qint64 number)
{
    Reply reply;
    reply.type = Reply::Type::Integer;
    reply.integer = number;
    return reply;
}

Reply bulk(const QByteArray& text)
{
    Reply reply;
    reply.type = Reply::Type::Bulk;
    reply.text = text;
    return reply;
}

/// A node that has a lock of ten seconds, by a clock of its own.
class Node final : public Link
{
public:
    explicit Node(qint64 clockMs, Link* other = nullptr)
        : m_clockMs(clockMs)
        , m_other(other)
    {
        m_status.phase = ConnectionStatus::Phase::Ready;
    }

    const ServerUrl& url() const override { return m_url; }
    const ConnectionStatus& status() const override { return m_status; }
    const ServerInfo& greeting() const override { return m_greeting; }
    bool leavesKeysUntouched() const override { return false; }
    TrafficCounts traffic() const override { return {}; }
    double roundTripMs() const override { return 0; }
    Link& nodeOf(const QByteArray& key) override
    {
        return key == "far" && m_other ? *m_other : *this;
    }
    bool isWriteModeOn() const override { return false; }
    void send(const std::vector<Command>& commands, QObject* context, BatchHandler handler) override
    {
        std::vector<Reply> replies;
        for (const Command& command : commands)
            replies.push_back(answer(command.args()));
        QMetaObject::invokeMethod(
            context, [replies, handler = std::move(handler)] { handler(replies); },
            Qt::QueuedConnection);
    }
    void sendActing(const std::vector<Command>& commands, QObject* context,
                    BatchHandler handler) override
    {
        send(commands, context, std::move(handler));
    }

private:
    Reply answer(const std::vector<QByteArray>& words) const
    {
        if (words[0] == "TIME") {
            Reply time;
            time.type = Reply::Type::Array;
            time.items = {bulk(QByteArray::number(m_clockMs / 1000)),
                          bulk(QByteArray::number(m_clockMs % 1000 * 1000))};
            return time;
        }
        if (words[0] == "SCAN") {
            Reply scan;
            scan.type = Reply::Type::Array;
            scan.items = {bulk("0"), {}};
            scan.items[1].type = Reply::Type::Array;
            scan.items[1].items = {bulk("lock:far")};
            return scan;
        }
        if (words[0] == "TYPE")
            return bulk("string");
        return words[0] == "PTTL" || words[0] == "DBSIZE" ? integer(10'000) : bulk("ef1f63c8");
    }

    ServerUrl m_url;
    ConnectionStatus m_status;
    ServerInfo m_greeting;
    qint64 m_clockMs;
    Link* m_other;
};

PrimitivePtr lockNamed(const QByteArray& name)
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = Kind::Lock;
    primitive->id = {"set-nx-px", name};
    primitive->keys = {{"lock", name}};
    return primitive;
}

} // namespace

class TestNodeClocks : public QObject
{
    Q_OBJECT

private slots:
    void statesOfAllNodesAreOfTheSameMoment();
    void whatAScanBringsIsOfThatMomentToo();
};

// One clock counts all leases down: a lock on a node that is an hour ahead does not stay for an
// hour, and a lock on a node that is behind is not gone.
void TestNodeClocks::statesOfAllNodesAreOfTheSameMoment()
{
    for (const qint64 offMs : {aheadMs, -aheadMs, qint64(0)}) {
        Node far(localMs + 500 + offMs);
        Node home(localMs + 500, &far);
        const ManualClock local(localMs);
        const ServerClock clock{500, 1, TimeSource::Server};
        std::vector<ReadRequest> requests;
        for (const char* name : {"near", "far"}) {
            ReadRequest request;
            request.handle = Handle(requests.size() + 1);
            request.primitive = lockNamed(name);
            requests.push_back(request);
        }
        std::optional<ReadRound> round;
        QObject context;
        readPrimitives(home, requests, clock, local, &context,
                       [&round](ReadRound told) { round = std::move(told); });
        QTRY_VERIFY(round);
        QCOMPARE(round->outcomes.size(), size_t(2));
        QCOMPARE(round->serverMs, localMs + 500); // home's own
        for (const ReadOutcome& outcome : round->outcomes) {
            QCOMPARE(outcome.state.asOfMs, localMs + 500);
            const auto* lock = outcome.state.as<LockState>();
            QVERIFY(lock && lock->leaseMs);
            QCOMPARE(*lock->leaseMs, qint64(10'000));
            QVERIFY(outcome.state.revisitAtMs == 0 ||
                    qAbs(outcome.state.revisitAtMs - localMs - 10'500) < 1000);
        }
    }
}

void TestNodeClocks::whatAScanBringsIsOfThatMomentToo()
{
    const Classifier classifier;
    for (const bool isOther : {true, false}) {
        for (const qint64 offMs : {aheadMs, -aheadMs}) {
            Node node(localMs + 500 + offMs);
            const ManualClock local(localMs);
            KeyspaceScan::Options options;
            options.ofOther = [isOther] { return isOther; };
            KeyspaceScan scan(node, classifier, local, options);
            scan.setClock({isOther ? 500 : 500 + offMs, 1, TimeSource::Server});
            std::vector<ProbeResult> results;
            connect(
                &scan, &KeyspaceScan::sliceReady, this,
                [&results](const std::shared_ptr<ScanSlice>& slice) { results = slice->results; });
            scan.start();
            QTRY_VERIFY(!results.empty());
            QVERIFY(results.front().decoded);
            const State& state = results.front().decoded->state;
            const auto* lock = state.as<LockState>();
            QVERIFY(lock && lock->leaseMs);
            QCOMPARE(*lock->leaseMs, qint64(10'000));
            QCOMPARE(state.asOfMs, localMs + 500 + (isOther ? 0 : offMs));
            QVERIFY(state.revisitAtMs == 0 ||
                    qAbs(state.revisitAtMs - state.asOfMs - 10'000) < 1000);
        }
    }
}

LK_TEST(TestNodeClocks);
#include "tst_nodeclocks.moc"
