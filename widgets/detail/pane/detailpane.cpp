// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/pane/detailpane.h"

#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionstates.h"
#include "backend/text/certaintytext.h"
#include "backend/text/errortext.h"
#include "backend/text/statewords.h"
#include "widgets/actions/actionbar.h"
#include "widgets/charts/chartwidget.h"
#include "widgets/controls/emptystate.h"
#include "widgets/declare/configdraft.h"
#include "widgets/detail/bodies/detailbody.h"
#include "widgets/detail/life/lifedialog.h"
#include "widgets/detail/pane/findingnotes.h"
#include "widgets/detail/pane/layoutcharts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QStackedLayout>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

constexpr int frameMs = 250;

// Its page may be lower where it is narrower: it fits beside the bar, and without it does not. The
// bar would come and go for ever, each time within the last; after a few it stays as it is.
class SteadyScrollArea final : public QScrollArea
{
protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        constexpr int mostWithin = 6;
        if (m_within >= mostWithin)
            return false;
        ++m_within;
        const bool taken = QScrollArea::eventFilter(object, event);
        --m_within;
        return taken;
    }

private:
    int m_within = 0;
};

// "Rolling window, likely; could be a ..."
QString captionOf(const State& state)
{
    const Primitive& p = *state.primitive;
    const QString what = layoutTitle(p.id.layout);
    if (p.declaration)
        return DetailPane::tr("%1, declared in the configuration").arg(what);
    QString text = DetailPane::tr("%1, %2").arg(what, certaintyWord(p.certainty()));
    const bool isCertain = p.certainty() == Certainty::Certain;
    if (const Layout* other = isCertain ? nullptr : findLayout(p.alternative))
        text += DetailPane::tr("; could be a %1").arg(other->title());
    if (const QString proof = provenText(p.provenBy); !proof.isEmpty())
        text += QStringLiteral(". ") + proof;
    return text;
}

} // namespace

DetailPane::DetailPane(Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_body(makeDetailBody(kind))
    , m_actions(new ActionBar)
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyState)
    , m_icon(new QLabel)
    , m_name(new QLabel)
    , m_word(new QLabel)
    , m_caption(new QLabel)
    , m_problem(new QLabel)
    , m_findings(new FindingNotes)
    , m_declare(new QToolButton)
    , m_life(new QToolButton)
{
    setMinimumWidth(352);
    setObjectName(QStringLiteral("detailPane"));
    m_icon->setObjectName(QStringLiteral("healthIcon"));
    m_name->setFont(monoFont(TextSize::Title));
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_name->setAccessibleName(tr("Name"));
    m_name->setFocusPolicy(Qt::NoFocus);
    m_caption->setFont(uiFont(TextSize::Caption));
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setWordWrap(true);
    m_problem->setWordWrap(true);
    m_problem->hide();
    for (QLabel* label : {m_name, m_word, m_caption, m_problem})
        label->setTextFormat(Qt::PlainText); // what a server holds is never markup

    auto* page = new QWidget;
    auto* headline = rowOf(8, {{m_name, 1}, m_icon, m_word});
    m_declare->setText(tr("Declare limit and window…"));
    m_declare->setToolTip(tr("Writes what Redis does not store to the configuration file"));
    m_declare->setFocusPolicy(Qt::StrongFocus);
    m_declare->hide();
    m_life->setObjectName(QStringLiteral("whatHappened"));
    m_life->setText(tr("What happened…"));
    m_life->setToolTip(
        tr("Its recorded history: who held it, when it was stuck or full, what was done (Ctrl+H)"));
    m_life->setFocusPolicy(Qt::StrongFocus);
    m_life->hide();
    connect(m_life, &QToolButton::clicked, this, &DetailPane::showTimeline);
    auto* ways = rowOf(8, {m_life, m_declare, BoxStretch{}});
    connect(m_declare, &QToolButton::clicked, this, [this] { emit declareWanted(m_handle); });
    auto* layout = columnIn(page, {16, 12, 16, 12}, 8,
                            {headline, m_caption, ways, m_problem, m_findings, {m_body, 1}});
    auto* feed = m_body->findChild<SeriesFeed*>();
    connect(feed, &SeriesFeed::momentChosen, this, &DetailPane::momentWanted);
    m_layoutCharts = new LayoutCharts(*feed);
    if (!m_body->placeCharts(m_layoutCharts))
        layout->addWidget(m_layoutCharts);
    auto* scroll = new SteadyScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    // Nothing vanishes: what does not fit, in a language with long words, is reached by the bar.
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    scroll->setAccessibleName(tr("Details"));
    for (QWidget* ground : std::initializer_list<QWidget*>{page, scroll->viewport(), m_empty}) {
        ground->setBackgroundRole(QPalette::Base);
        ground->setAutoFillBackground(true);
    }
    auto* shown = new QWidget;
    columnIn(shown, {}, 0, {{scroll, 1}, m_actions});
    m_stack->addWidget(shown);
    m_stack->addWidget(m_empty);
    m_empty->setText(kindIconName(kind), tr("Nothing selected"),
                     tr("Select a row to see its values and how they change over time."));
    m_stack->setCurrentWidget(m_empty);

    connect(m_actions, &ActionBar::chosen, this,
            [this](const Action* action) { emit actionChosen(action, m_handle); });
    connect(m_body, &DetailBody::actionChosen, this,
            [this](const Action* action) { emit actionChosen(action, m_handle); });
    connect(m_body, &DetailBody::wideWanted, this, &DetailPane::wideWanted);
    connect(m_findings, &FindingNotes::wanted, this, &DetailPane::findingWanted);
    m_frames.setInterval(frameMs);
    connect(&m_frames, &QTimer::timeout, this, [this] {
        if (m_session && m_handle != noHandle && isVisible())
            m_body->showTime(*m_session, m_handle, m_session->serverNowMs());
    });
    onPaletteChange(this, [this] {
        if (const StatePtr state = m_session ? m_session->states().at(m_handle) : nullptr)
            updateIcon(*state);
    });
}

void DetailPane::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    // At another time the same primitive has the same handle.
    const bool same = session && m_live == session->live() &&
                      (session->isPast() || session->states().at(m_handle));
    m_session = session;
    m_live = session ? session->live() : nullptr;
    if (!same)
        m_handle = noHandle;
    m_stack->setCurrentWidget(m_empty);
    if (m_session) {
        connect(&m_session->states(), &SessionStates::changed, this, &DetailPane::onChanged);
        connect(&m_session->findings(), &SessionFindings::changed, this,
                &DetailPane::updateFindings);
        connect(&m_session->acting(), &SessionActing::codesChanged, this, &DetailPane::refresh);
        connect(&m_session->acting(), &SessionActing::limitsChanged, this, &DetailPane::refresh);
        connect(m_session->live(), &Session::historyChanged, this, &DetailPane::updateHistory,
                Qt::UniqueConnection);
    }
    updateHistory();
    if (m_handle != noHandle)
        show(m_handle);
}

void DetailPane::updateHistory()
{
    SessionHistory* history = m_live ? m_live->history() : nullptr;
    if (m_history && m_history != history)
        m_history->disconnect(this);
    if (history && m_history != history)
        connect(history, &SessionHistory::spanChanged, this, &DetailPane::updateHistory);
    m_history = history;
    m_life->setVisible(history && history->firstMs() > 0);
}

void DetailPane::showTimeline()
{
    if (LifeDialog* dialog = LifeDialog::open(m_session, m_handle, this))
        connect(dialog, &LifeDialog::momentWanted, this, &DetailPane::momentWanted);
}

void DetailPane::show(Handle handle)
{
    if (!m_session)
        return;
    m_handle = handle;
    if (handle == noHandle) {
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_body->begin(*m_session, handle);
    refresh();
}

void DetailPane::setActive(bool active)
{
    m_active = active;
    if (active)
        m_frames.start();
    else
        m_frames.stop();
    if (active)
        refresh();
}

JobChoice DetailPane::chosenJobs() const
{
    return m_body->chosenJobs();
}

std::map<QByteArray, QByteArray> DetailPane::chosenValues() const
{
    return m_body->chosenValues();
}

bool DetailPane::setWide(bool wide)
{
    if (!m_body->setWide(wide))
        return false;
    m_isWide = wide;
    m_layoutCharts->setVisible(!wide);
    refresh();
    return true;
}

void DetailPane::onChanged(const DeltaPtr& delta)
{
    if (!m_active || m_handle == noHandle)
        return;
    const bool mine =
        std::any_of(delta->changes.begin(), delta->changes.end(),
                    [&](const StateChange& change) { return change.handle == m_handle; });
    if (mine)
        refresh();
}

void DetailPane::refresh()
{
    const StatePtr state =
        m_session && m_handle != noHandle ? m_session->states().at(m_handle) : nullptr;
    if (!state) {
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    if (!m_isWide)
        m_layoutCharts->show(*state);
    updateHeader(*state);
    updateFindings();
    m_actions->setOffers(offersFor({state}, m_session->acting().limits()));
    m_body->showState(*m_session, m_handle, *state);
    m_body->showTime(*m_session, m_handle, m_session->serverNowMs());
    m_stack->setCurrentIndex(0);
}

void DetailPane::updateFindings()
{
    if (m_active && m_session && m_handle != noHandle)
        m_findings->show(m_session->findings().of(m_handle));
}

void DetailPane::updateIcon(const State& state)
{
    const int side = m_word->fontMetrics().height();
    m_icon->setPixmap(stateIcon(state, palette()).pixmap(side, side));
}

void DetailPane::updateHeader(const State& state)
{
    const SummaryPtr& summary = m_session->board().summary();
    const QString name =
        shownName(*state.primitive, summary ? summary->sharedLabels : QSet<QByteArray>(),
                  m_session->acting().codesOf(m_handle));
    m_name->setText(
        m_name->fontMetrics().elidedText(name, Qt::ElideMiddle, std::max(120, m_name->width())));
    m_name->setToolTip(plainTip(name));
    for (ChartWidget* chart : findChildren<ChartWidget*>())
        chart->setSubject({shownName(*state.primitive), m_session->title()}); // in files, too
    updateIcon(state);
    m_declare->setVisible(declaringOf(state).has_value());
    m_word->setText(stateWord(state));
    m_caption->setText(captionOf(state));
    m_problem->setVisible(state.problem.has_value());
    if (state.problem) {
        const QString advice = errorAdvice(*state.problem);
        m_problem->setText(errorText(*state.problem) +
                           (advice.isEmpty() ? QString() : QStringLiteral(". ") + advice));
    }
}

} // namespace lk
