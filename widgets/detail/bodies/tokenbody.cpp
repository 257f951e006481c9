// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionseries.h"
#include "widgets/detail/bodies/bodies.h"

#include "backend/text/numbers/datasize.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/expiryhistogram.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/detail/primitivefacts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/theme/boxlayout.h"

#include <QCoreApplication>
#include <QLocale>

namespace lk {

namespace {

constexpr qint64 totalsStaleAfterMs = 4000; // they come every second

class TokenBody final : public DetailBody
{
    Q_DECLARE_TR_FUNCTIONS(lk::TokenBody)

public:
    explicit TokenBody(QWidget* parent = nullptr);

    void begin(Session& session, Handle handle) override;
    void showState(Session& session, Handle handle, const State& state) override;
    void showTime(Session& session, Handle handle, qint64 serverNowMs) override;

private:
    FigureRow* m_figures;
    FactGrid* m_payload;
    SpanPicker* m_span;
    TimeChart* m_now;
    TimeChart* m_ended;
    ExpiryHistogram* m_horizon;
    FactGrid* m_facts;
    SeriesFeed* m_feed;
};

TokenBody::TokenBody(QWidget* parent)
    : DetailBody(parent)
    , m_figures(new FigureRow)
    , m_payload(new FactGrid)
    , m_span(new SpanPicker)
    , m_now(new TimeChart)
    , m_ended(new TimeChart)
    , m_horizon(new ExpiryHistogram)
    , m_facts(new FactGrid)
    , m_feed(new SeriesFeed(this))
{
    columnIn(this, {}, 12,
             {m_figures,
              m_payload,
              {m_horizon, 3},
              {m_span, 0, Qt::AlignLeft},
              {m_now, 3},
              {m_ended, 3},
              m_facts});
    for (ChartWidget* chart : std::initializer_list<ChartWidget*>{m_horizon, m_now, m_ended})
        chart->setOfAll(true);
    m_horizon->setTitle(tr("When live tokens expire"), tr("tokens"));
    m_now->setTitle(tr("All tokens"), tr("tokens that exist"), Metric::Unit::Count);
    m_feed->add(m_now, m_now->addSeries(tr("live"), ColorRole::Ok), SessionSeries::TokensLive,
                {"tokens.live"});
    m_feed->add(m_now, m_now->addSeries(tr("used"), ColorRole::Accent), SessionSeries::TokensUsed,
                {"tokens.used"});
    m_feed->add(m_now, m_now->addSeries(tr("never issued"), ColorRole::Danger),
                SessionSeries::TokensNeverIssued, {"tokens.never-issued"});
    m_ended->setTitle(tr("Ended since the console started"), tr("tokens, by how they ended"),
                      Metric::Unit::Count);
    m_feed->add(m_ended, m_ended->addSeries(tr("used"), ColorRole::Accent),
                SessionSeries::TokensConsumed, {"tokens.consumed"});
    m_feed->add(m_ended, m_ended->addSeries(tr("expired"), ColorRole::Violet),
                SessionSeries::TokensExpired, {"tokens.expired"});
    m_feed->add(m_ended, m_ended->addSeries(tr("revoked here"), ColorRole::Warning),
                SessionSeries::TokensRevoked, {"tokens.revoked"});
    // Vanished before their time: redeemed, or deleted by others.
    m_feed->add(m_ended, m_ended->addSeries(tr("deleted"), ColorRole::Second),
                SessionSeries::TokensGone, {"tokens.gone"});
    m_span->setAxis(m_feed->axis());
}

void TokenBody::begin(Session& session, Handle)
{
    m_feed->setSource(&session, SessionSeries::tokenTotals, totalsStaleAfterMs);
}

void TokenBody::showState(Session& session, Handle handle, const State& state)
{
    const auto* token = state.as<TokenState>();
    if (!token)
        return;
    const QLocale locale;
    const QString unknown = QStringLiteral("\u2013");
    QString ends = unknown;
    if (state.present)
        ends = state.ttlMs ? formatDuration(*state.ttlMs) : tr("never");
    m_figures->setFigures({{ends, tr("expires in"),
                            state.present && !state.ttlMs ? ColorRole::Warning : ColorRole::Text},
                           {token->uses ? locale.toString(*token->uses) : unknown, tr("uses")},
                           {token->bytes ? dataSizeText(*token->bytes) : unknown, tr("payload")}});
    m_payload->setRows(
        {{tr("Payload"), QStringLiteral("\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022"), true},
         {QString(), tr("Never shown, stored or logged."), false}});
    m_facts->setRows(primitiveFacts(state, session.report().map, session.acting().codesOf(handle)));
}

void TokenBody::showTime(Session& session, Handle, qint64 serverNowMs)
{
    m_feed->refresh(serverNowMs);
    if (const SummaryPtr& summary = session.board().summary()) {
        m_horizon->setEnds(summary->tokensByEnd, summary->tokensWithoutEnd);
        m_horizon->setNow(session.isLive() ? serverNowMs : summary->atMs);
        m_horizon->setPast(session.isPast() ? session.live()->serverNowMs() : 0);
    }
}

} // namespace

DetailBody* makeTokenBody()
{
    return new TokenBody;
}

} // namespace lk
