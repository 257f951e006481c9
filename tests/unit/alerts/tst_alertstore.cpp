// SPDX-License-Identifier: GPL-3.0-or-later
// The stored alerts: older files, one deployment under several names, and attempts with an unknown
// end.
#include "backend/alerts/store/alertdatabase.h"
#include "backend/alerts/store/alertstore.h"
#include "tests/support/testprogram.h"

#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;

AlertEvent fired(const QByteArray& id)
{
    auto alert = std::make_shared<Alert>();
    alert->id = id;
    alert->rule = "queue-stuck";
    alert->kind = Kind::Queue;
    alert->name = "mail";
    alert->text = u"stuck"_s;
    alert->sinceMs = alert->firedMs = t0;
    return {AlertEvent::Type::Fired, alert};
}

WrittenNotification message(const QByteArray& id, const QByteArray& target)
{
    Notification notification;
    notification.id = id;
    notification.target = target;
    notification.atMs = t0;
    return {notification, "{}"};
}

QStringList openIn(const AlertStore& store)
{
    QStringList ids;
    if (const auto contents = store.load()) {
        for (const AlertPtr& alert : contents->open)
            ids << QString::fromLatin1(alert->id);
    }
    ids.sort();
    return ids;
}

const AlertIdentity byNodeA{{u"cluster:a:7001"_s}, u"a:7001/0"_s};
const AlertIdentity byNodeB{{u"cluster:b:7001"_s}, u"b:7001/0"_s};
const AlertIdentity whole{{u"cluster:a:7001"_s, u"cluster:b:7001"_s}, u"b:7001/0"_s};

} // namespace

class TestAlertStore : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_file;

private slots:
    void init()
    {
        static int n = 0;
        m_file = m_folder.filePath(u"alerts-%1.db"_s.arg(n++));
    }
    void aDeploymentIsTheSameByEachOfItsNames();
    void whoRaisedItUnderAnotherNameFollows();
    void untilItIsKnownItIsOnlyRead();
    void anAttemptThatNobodyAnsweredIsNotMadeTwice();
    void whatNobodySendsIsNotKeptForEver();
};

void TestAlertStore::aDeploymentIsTheSameByEachOfItsNames()
{
    AlertStore first(m_file);
    QVERIFY(first.open());
    QVERIFY(first.identify(byNodeA));
    QVERIFY(first.commit({fired("x1")}, {}));
    AlertStore second(m_file);
    QVERIFY(second.open());
    QVERIFY(second.identify(byNodeB));
    QVERIFY(second.commit({fired("x2")}, {message("n2", "hook")}));
    QCOMPARE(openIn(second), QStringList{u"x2"_s});
    // Now it is known that both are nodes of one cluster.
    AlertStore third(m_file);
    QVERIFY(third.open());
    QVERIFY(third.identify(whole));
    QCOMPARE(openIn(third), (QStringList{u"x1"_s, u"x2"_s}));
    const auto queued = third.claim("hook", t0, 1000, AlertStore::Unanswered::SentAgain);
    QVERIFY(queued && queued->has_value());
    QCOMPARE((*queued)->id, QByteArray("n2"));
    // By whichever it is entered from now on.
    AlertStore again(m_file);
    QVERIFY(again.open());
    QVERIFY(again.identify(byNodeB));
    QCOMPARE(again.deployment(), third.deployment());
    QCOMPARE(openIn(again).size(), 2);
}

void TestAlertStore::whoRaisedItUnderAnotherNameFollows()
{
    AlertStore first(m_file);
    QVERIFY(first.open());
    QVERIFY(first.identify(byNodeA));
    QVERIFY(first.lock());
    AlertStore second(m_file);
    QVERIFY(second.open());
    QVERIFY(second.identify(byNodeB));
    QVERIFY(second.lock()); // for all that is known, another deployment
    QVERIFY(!second.isMoved());
    QVERIFY(first.identify(whole));
    QVERIFY(second.isMoved());
    QVERIFY(second.identify(byNodeB));
    QCOMPARE(second.deployment(), first.deployment());
    QVERIFY(!second.lock()); // one of them raises it
    QVERIFY(first.lock());
}

void TestAlertStore::untilItIsKnownItIsOnlyRead()
{
    AlertStore store(m_file);
    QVERIFY(store.open());
    QVERIFY(store.resolve(byNodeA));
    QVERIFY(!store.lock());
    QVERIFY(store.identify(byNodeA));
    QVERIFY(store.lock());
    QVERIFY(store.identify(whole)); // the same, with more names
    QVERIFY(store.isLocked());
}

void TestAlertStore::anAttemptThatNobodyAnsweredIsNotMadeTwice()
{
    using Unanswered = AlertStore::Unanswered;
    AlertStore store(m_file);
    QVERIFY(store.open());
    QVERIFY(store.identify(byNodeA));
    QVERIFY(
        store.commit({}, {message("c1", "page"), message("c2", "page"), message("h1", "hook")}));
    // One that was answered is made again.
    auto claim = store.claim("page", t0, 1000, Unanswered::GivenUp);
    QCOMPARE((*claim)->id, QByteArray("c1"));
    QVERIFY(store.notDelivered("c1", u"exit code 1"_s, t0 + 500, t0));
    claim = store.claim("page", t0 + 500, 1000, Unanswered::GivenUp);
    QCOMPARE((*claim)->id, QByteArray("c1"));
    QCOMPARE((*claim)->attempts, 2);
    QVERIFY(!store.takeGivenUp());
    // No other program takes it while it is under way, even if this program ends.
    AlertStore next(m_file);
    QVERIFY(next.open());
    QVERIFY(next.identify(byNodeA));
    QVERIFY(!next.claim("page", t0 + 1000, 1000, Unanswered::GivenUp)->has_value());
    // There was no answer, so the next message follows.
    claim = next.claim("page", t0 + 2000, 1000, Unanswered::GivenUp);
    QCOMPARE((*claim)->id, QByteArray("c2"));
    QVERIFY(next.takeGivenUp());
    QVERIFY(next.delivered("c2", t0 + 2000));
    QVERIFY(!next.claim("page", t0 + 9000, 1000, Unanswered::GivenUp)->has_value());
    // A webhook's is made again, with its id.
    QCOMPARE((*next.claim("hook", t0, 1000, Unanswered::SentAgain))->id, QByteArray("h1"));
    claim = next.claim("hook", t0 + 2000, 1000, Unanswered::SentAgain);
    QCOMPARE((*claim)->id, QByteArray("h1"));
    QCOMPARE((*claim)->attempts, 2);
}

// Like a message for a desktop from a program that has none: no other program sends it.
void TestAlertStore::whatNobodySendsIsNotKeptForEver()
{
    constexpr qint64 day = 24 * 3'600'000LL;
    AlertStore store(m_file);
    QVERIFY(store.open());
    QVERIFY(store.identify(byNodeA));
    QVERIFY(
        store.commit({}, {message("d1", "desktop"), message("h1", "hook"), message("o1", "old")}));
    const auto queued = [&] {
        QByteArrayList all;
        const auto targets = store.targets();
        for (const TargetStatus& target : *targets) {
            if (target.queued > 0)
                all << target.name;
        }
        return all;
    };
    const QByteArrayList everybody{"desktop", "hook", "old"};
    QVERIFY(store.forgetUnsent({"hook"}, t0 + day));
    QCOMPARE(queued(), everybody); // a program that has a desktop may still come
    QVERIFY(store.forgetUnsent(everybody, t0 + 9 * day));
    QCOMPARE(queued(), everybody);
    QVERIFY(store.forgetUnsent({"hook"}, t0 + day + 1));
    QCOMPARE(queued(), QByteArrayList{"hook"}); // who is away is tried, and given up by that
}

LK_TEST(TestAlertStore);
#include "tst_alertstore.moc"
