// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// More findings than a snapshot keeps: they are told all the same.
class tst_ManyFindings : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void reportsTellThemAll();
    void fewAreKept();

private:
    struct Reports
    {
        std::shared_ptr<const Snapshot> snapshot;
        QJsonObject root;
        QByteArray text;
    };
    Reports taken(size_t mostFindings);

    static constexpr int orphans = 300;

    RedisServer m_server;
    const Config m_config =
        configOf("[[silence]]\ncode = \"lock-without-ttl\"\nmatch = \"lock:order:7*\"\n");
};

void tst_ManyFindings::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output());
    std::vector<Command> fill;
    for (int i = 0; i < orphans; ++i)
        fill.push_back({"SET", "lock:order:" + QByteArray::number(i),
                        "ef1f63c0-8a3b-4b1e-9a6d-" + QByteArray::number(100'000'000'000 + i)});
    m_server.runAll(fill);
}

tst_ManyFindings::Reports tst_ManyFindings::taken(size_t mostFindings)
{
    const SystemClock clock;
    Reports reports;
    SnapshotTaker taker(m_server.url(), m_config, clock);
    taker.setPacked(mostFindings);
    QEventLoop loop;
    QObject::connect(&taker, &SnapshotTaker::finished, &loop,
                     [&](const std::shared_ptr<const Snapshot>& snapshot) {
                         reports.snapshot = snapshot;
                         loop.quit();
                     });
    QObject::connect(&taker, &SnapshotTaker::failed, &loop, &QEventLoop::quit);
    taker.start();
    loop.exec();
    if (!reports.snapshot)
        return reports;
    QBuffer json;
    QBuffer text(&reports.text);
    json.open(QIODevice::WriteOnly);
    text.open(QIODevice::WriteOnly);
    writeJson(*reports.snapshot, *taker.states(), json, Codes::Revealed);
    writeText(*reports.snapshot, *taker.states(), text, Codes::Revealed, 5);
    reports.root = QJsonDocument::fromJson(json.data()).object();
    return reports;
}

void tst_ManyFindings::reportsTellThemAll()
{
    const Reports kept = taken(SnapshotTaker::usualFindings);
    const Reports later = taken(10);
    QVERIFY(kept.snapshot && later.snapshot);
    const auto told = [](const Reports& reports) {
        QStringList all;
        for (const QJsonValue& finding : reports.root["findings"_L1].toArray())
            all << QString::fromUtf8(QJsonDocument(finding.toObject()).toJson());
        all.sort(); // kept ones stand as the scan brought them
        return all;
    };
    QVERIFY(told(kept).size() >= orphans);
    QCOMPARE(told(later), told(kept));
    const qsizetype at = kept.text.indexOf("\nFindings (");
    QVERIFY(at > 0);
    QCOMPARE(later.text.mid(at, later.text.indexOf("\n\n", at) - at),
             kept.text.mid(at, kept.text.indexOf("\n\n", at) - at));
}

void tst_ManyFindings::fewAreKept()
{
    QVERIFY(taken(SnapshotTaker::usualFindings).snapshot->findings.size() >= size_t(orphans));
    QVERIFY(taken(10).snapshot->findings.size() < 10);
}

LK_TEST(tst_ManyFindings);
#include "tst_manyfindings.moc"
