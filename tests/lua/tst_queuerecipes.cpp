// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

/// The reliable list.
class tst_QueueRecipes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }

    void firstInFirstTaken();
    void thousandsAtOnceKeepTheirOrder();
    void ackRemovesOneOfTwoEqualJobs();
    void requeue_data();
    void requeue();
    void requeueOfWhatIsGoneChangesNothing();
    void aDestinationThatIsNoListLosesNothing();
    void binaryJobs();
    void refusesOtherTypes();

private:
    qint64 push(const std::vector<QByteArray>& jobs)
    {
        return m_redis.run("reliable-list-push", {"jobs"}, jobs).integer;
    }
    Reply take() { return m_redis.run("reliable-list-take", {"jobs", "jobs:processing"}); }
    Texts ready() { return m_redis.list({"LRANGE", "jobs", "0", "-1"}); }
    Texts processing() { return m_redis.list({"LRANGE", "jobs:processing", "0", "-1"}); }

    RecipeRunner m_redis;
};

void tst_QueueRecipes::firstInFirstTaken()
{
    QCOMPARE(push({"a", "b"}), 2);
    QCOMPARE(push({"c"}), 3);
    QCOMPARE(push({}), 3);
    for (const char* job : {"a", "b", "c"})
        QCOMPARE(take().text, QByteArray(job));
    QVERIFY(take().isNil());
    QCOMPARE(processing(), (Texts{"c", "b", "a"}));
    QVERIFY(!m_redis.exists("jobs"));
}

void tst_QueueRecipes::thousandsAtOnceKeepTheirOrder()
{
    // More than a script can hand to one command.
    std::vector<QByteArray> jobs;
    for (int i = 0; i < 9001; ++i)
        jobs.push_back(QByteArray::number(i));
    QCOMPARE(push(jobs), 9001);
    std::reverse(jobs.begin(), jobs.end());
    QCOMPARE(ready(), jobs);
}

void tst_QueueRecipes::ackRemovesOneOfTwoEqualJobs()
{
    push({"a", "b", "a"});
    for (int i = 0; i < 3; ++i)
        take();
    QCOMPARE(m_redis.run("reliable-list-ack", {"jobs:processing"}, {"a"}).integer, 1);
    QCOMPARE(processing(), (Texts{"a", "b"})); // the one taken first has gone
    QCOMPARE(m_redis.run("reliable-list-ack", {"jobs:processing"}, {"a"}).integer, 1);
    QCOMPARE(m_redis.run("reliable-list-ack", {"jobs:processing"}, {"a"}).integer, 0);
    QCOMPARE(processing(), (Texts{"b"}));
}

void tst_QueueRecipes::requeue_data()
{
    QTest::addColumn<QByteArray>("where");
    QTest::addColumn<QByteArray>("takenNext");
    QTest::newRow("next") << QByteArray("next") << QByteArray("a");
    QTest::newRow("last") << QByteArray("last") << QByteArray("b");
    QTest::newRow("unsaid") << QByteArray() << QByteArray("b");
}

void tst_QueueRecipes::requeue()
{
    QFETCH(QByteArray, where);
    QFETCH(QByteArray, takenNext);
    push({"a", "b", "c"});
    QCOMPARE(take().text, QByteArray("a"));
    QCOMPARE(
        m_redis.run("reliable-list-requeue", {"jobs:processing", "jobs"}, {"a", where}).integer, 1);
    QVERIFY(processing().empty());
    QCOMPARE(ready().size(), size_t(3));
    QCOMPARE(take().text, takenNext);
}

void tst_QueueRecipes::requeueOfWhatIsGoneChangesNothing()
{
    push({"a"});
    QCOMPARE(
        m_redis.run("reliable-list-requeue", {"jobs:processing", "jobs"}, {"a", "next"}).integer,
        0);
    QCOMPARE(ready(), (Texts{"a"}));
}

void tst_QueueRecipes::aDestinationThatIsNoListLosesNothing()
{
    push({"a"});
    take();
    m_redis.command({"SET", "dead", "x"});
    QVERIFY(isWrongType(
        m_redis.run("reliable-list-requeue", {"jobs:processing", "dead"}, {"a", "last"})));
    QCOMPARE(processing(), (Texts{"a"}));
}

void tst_QueueRecipes::binaryJobs()
{
    const QByteArray job("\x00\xff\r\n{", 5);
    push({job});
    QCOMPARE(take().text, job);
    QCOMPARE(m_redis.run("reliable-list-ack", {"jobs:processing"}, {job.left(4)}).integer, 0);
    QCOMPARE(m_redis.run("reliable-list-ack", {"jobs:processing"}, {job}).integer, 1);
}

void tst_QueueRecipes::refusesOtherTypes()
{
    m_redis.command({"SET", "s", "x"});
    QVERIFY(isWrongType(m_redis.run("reliable-list-push", {"s"}, {"a"})));
    QVERIFY(isWrongType(m_redis.run("reliable-list-ack", {"s"}, {"a"})));
    push({"a"});
    QVERIFY(isWrongType(m_redis.run("reliable-list-take", {"jobs", "s"})));
    QVERIFY(isWrongType(m_redis.run("reliable-list-take", {"s", "jobs:processing"})));
    QCOMPARE(ready(), (Texts{"a"}));
}

LK_TEST(tst_QueueRecipes);
#include "tst_queuerecipes.moc"
