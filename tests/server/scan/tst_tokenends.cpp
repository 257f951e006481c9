// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionseries.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include "backend/text/statewords.h"

#include <QTemporaryDir>

#include <numeric>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;
using End = TokenState::End;

/// How tokens end: revoked by this console, seen used, expired, or unknown.
class TestTokenEnds : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.lines({"SET code:rv7Kq2x9 p PX 600000", "SET code:dl3Mz8w1 p PX 600000",
                        "SET code:cs9Pt4y6 p PX 600000", "SET code:tk5Hn1v3 p PX 600000",
                        "SET code:xp2Bd6f8 p PX 600000", "HSET user_token:used4a meta x used_by 0",
                        "EXPIRE user_token:used4a 600", "HSET user_token:ghost4a used_by 1"});
    }

    void eachIsCountedApart()
    {
        const QTemporaryDir folder;
        LiveSession live(m_server.url(), {}, {},
                         {folder.filePath(u"journal.jsonl"_s), folder.filePath(u"undo"_s)});
        QTRY_COMPARE_WITH_TIMEOUT(live.size(), 7, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            live->board().summary() && live->board().summary()->tokensLive == 6, 20'000);
        live->acting().enableWriteMode(60'000);
        QTRY_VERIFY(live->acting().isWriteModeOn());
        take(live, "token.revoke", "code:rv7Kq2x9");
        take(live, "key.delete", "code:dl3Mz8w1");
        take(live, "token.consume", "code:cs9Pt4y6");
        take(live, "token.cleanup", "user_token:ghost4a");
        m_server.line("DEL code:tk5Hn1v3"); // redeemed, or revoked by somebody else
        m_server.line("PEXPIRE code:xp2Bd6f8 900");
        m_server.line("HINCRBY user_token:used4a used_by 1");
        // Seen used before it is deleted.
        QTRY_COMPARE_WITH_TIMEOUT(live->board().summary()->tokensUsed, 1, 20'000);
        m_server.line("DEL user_token:used4a");
        QTRY_COMPARE_WITH_TIMEOUT(sum(live), 7, 20'000);
        QCOMPARE(ends(live, End::Revoked), 2);
        QCOMPARE(ends(live, End::Consumed), 2);
        QCOMPARE(ends(live, End::Expired), 1);
        QCOMPARE(ends(live, End::Gone), 1);
        QCOMPARE(ends(live, End::Removed), 1);
        QCOMPARE(stateWord(*live.state("code:rv7Kq2x9")), u"revoked"_s);
        QCOMPARE(stateWord(*live.state("code:tk5Hn1v3")), u"deleted"_s);
        const auto total = [&](int metric) {
            const Series* series = live->series().store().find(SessionSeries::tokenTotals, metric);
            const auto points = series ? series->points(0, live->serverNowMs() + 1000, 1000)
                                       : decltype(series->points(0, 0, 0))();
            return points.empty() ? -1.0 : points.back().value;
        };
        QTRY_COMPARE(total(SessionSeries::TokensRevoked), 2.0);
        QTRY_COMPARE(total(SessionSeries::TokensConsumed), 2.0);
        QTRY_COMPARE(total(SessionSeries::TokensExpired), 1.0);
        QTRY_COMPARE(total(SessionSeries::TokensGone), 1.0);
    }

    // A token that was revoked, restored and then vanished does not count as revoked.
    void whatCameBackEndsAnew()
    {
        const QTemporaryDir folder;
        LiveSession live(m_server.url(), {}, {},
                         {folder.filePath(u"journal.jsonl"_s), folder.filePath(u"undo"_s)});
        QTRY_COMPARE_WITH_TIMEOUT(live.size(), 7, 20'000);
        live->acting().enableWriteMode(60'000);
        QTRY_VERIFY(live->acting().isWriteModeOn());
        take(live, "token.revoke", "code:rv7Kq2x9");
        QTRY_COMPARE_WITH_TIMEOUT(endOf(live, "code:rv7Kq2x9"), End::Revoked, 20'000);
        m_server.line("SET code:rv7Kq2x9 p PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(live.state("code:rv7Kq2x9")->present, 20'000);
        m_server.line("DEL code:rv7Kq2x9");
        QTRY_VERIFY_WITH_TIMEOUT(!live.state("code:rv7Kq2x9")->present, 20'000);
        QCOMPARE(endOf(live, "code:rv7Kq2x9"), End::Gone);
    }

private:
    void take(LiveSession& live, const QByteArray& action, const QByteArray& name)
    {
        QSignalSpy planned(&live->acting(), &SessionActing::planned);
        live->acting().planAction(action, {{live.state(name)->primitive}}, {});
        QTRY_COMPARE(planned.count(), 1);
        const auto set = planned[0][0].value<PlanSet>();
        QVERIFY2(set.plans.size() == 1, name.constData());
        QSignalSpy receipts(&live->acting(), &SessionActing::receiptReady);
        live->acting().run(set.ticket, {});
        QTRY_COMPARE(receipts.count(), 1);
        QCOMPARE(receipts[0][1].value<Receipt>().outcome, Outcome::Succeeded);
    }
    static qint64 ends(LiveSession& live, End end)
    {
        return live->board().summary()->tokenEnds[size_t(end)];
    }
    static qint64 sum(LiveSession& live)
    {
        const TokenEnds& all = live->board().summary()->tokenEnds;
        return std::accumulate(all.begin(), all.end(), qint64(0));
    }
    static std::optional<End> endOf(LiveSession& live, const QByteArray& name)
    {
        const StatePtr state = live.state(name);
        return state && !state->present ? std::optional(state->as<TokenState>()->end)
                                        : std::nullopt;
    }

    RedisServer m_server;
};

LK_TEST(TestTokenEnds);
#include "tst_tokenends.moc"
