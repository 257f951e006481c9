// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/life/lifedialog.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionstates.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/locks/holdintervals.h"
#include "widgets/charts/locks/locktimeline.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/input/searchfield.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/detail/life/lifemodel.h"
#include "widgets/detail/life/lifereport.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/saving/saveas.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QBuffer>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 hour = 3600 * 1000ll;
constexpr qint64 around = -1; // of the time spans
constexpr int chartHeight = 150;

QByteArray png(const QImage& image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

LifeDialog* LifeDialog::open(Session* session, Handle handle, QWidget* over)
{
    const StatePtr state = session ? session->states().at(handle) : nullptr;
    if (!state || !session->live()->history())
        return nullptr;
    auto* dialog = new LifeDialog(session, handle, state, over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

LifeDialog::LifeDialog(Session* session, Handle handle, StatePtr state, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_handle(handle)
    , m_state(std::move(state))
    , m_momentMs(session->serverNowMs())
    , m_model(new LifeModel(this))
    , m_span(new QComboBox)
    , m_filter(searchField(tr("Filter what happened"), tr("Filter")))
    , m_table(new FlatTable)
    , m_empty(new EmptyState)
    , m_count(new QLabel)
    , m_feed(new SeriesFeed(this))
{
    setWindowTitle(tr("What happened \u2013 Lockkeeper"));
    resize(960, 620);
    auto* layout = columnIn(this, {16, 16, 16, 16}, 8, {buildHead()});
    if (QWidget* chart = buildChart())
        layout->addWidget(chart);
    m_table->setObjectName(QStringLiteral("lifeTable"));
    m_table->setAccessibleName(tr("What happened"));
    m_table->setModel(m_model);
    m_table->horizontalHeader()->setSectionResizeMode(LifeModel::WhenColumn,
                                                      QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(LifeModel::WhatColumn, QHeaderView::Stretch);
    auto* list = new QWidget;
    auto* stack = new QStackedLayout(list);
    stack->addWidget(m_table);
    stack->addWidget(m_empty);
    layout->addWidget(list, 1);
    layout->addWidget(buildButtons());
    connect(m_table, &QTableView::activated, this, &LifeDialog::showChosen);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        updateEmpty();
    });
    connect(m_span, &QComboBox::activated, this, &LifeDialog::ask);
    connect(session, &QObject::destroyed, this, &QWidget::close);
    connect(session->live()->history(), &SessionHistory::lifeRead, this,
            [this](quint64 ticket, const Timeline& life) {
                if (ticket != m_ticket)
                    return;
                m_asked = false;
                m_model->setLife(life);
                m_table->scrollToBottom(); // the latest events are wanted most
                updateEmpty();
            });
    ask();
    m_table->setFocus();
    onPaletteChange(this, [this] { restyle(); });
}

QWidget* LifeDialog::buildHead()
{
    auto* head = new QWidget;
    auto* name = new QLabel(shownName(*m_state->primitive, 60));
    name->setFont(monoFont(TextSize::Title));
    name->setTextFormat(Qt::PlainText);
    auto* caption = new QLabel(heading());
    caption->setFont(uiFont(TextSize::Caption));
    caption->setForegroundRole(QPalette::PlaceholderText);
    caption->setTextFormat(Qt::PlainText);
    caption->setWordWrap(true);
    // A user who looks at a moment of the past also wants to see what followed.
    if (m_session->isPast())
        m_span->addItem(tr("An hour before and after"), around);
    for (const auto& [title, span] :
         {std::pair(tr("Last hour"), hour), std::pair(tr("Last 24 hours"), 24 * hour),
          std::pair(tr("Last 7 days"), 7 * 24 * hour), std::pair(tr("Everything recorded"), 0ll)})
        m_span->addItem(title, span);
    m_span->setCurrentIndex(m_session->isPast() ? 0 : 1);
    m_span->setAccessibleName(tr("Time span"));
    m_filter->setMaximumWidth(220);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* row = rowOf(8, {m_span, m_filter, BoxStretch{}, m_count});
    columnIn(head, {}, 4, {name, caption, row});
    return head;
}

// Returns the chart of its kind's main number. Null if the kind has none.
QWidget* LifeDialog::buildChart()
{
    const Kind kind = m_state->kind();
    if (kind != Kind::Lock && kind != Kind::Queue && kind != Kind::Limiter)
        return nullptr;
    auto* chart = new TimeChart;
    const auto line = [&](const QString& label, ColorRole color, const char* metric) {
        m_feed->add(chart, chart->addSeries(label, color), metricIndex(kind, metric));
    };
    if (kind == Kind::Queue) {
        chart->setTitle(tr("Depth"), tr("jobs"), Metric::Unit::Count);
        line(tr("waiting"), ColorRole::Accent, "ready");
        line(tr("in progress"), ColorRole::Violet, "processing");
        line(tr("dead letters"), ColorRole::Danger, "dead");
    } else if (kind == Kind::Limiter) {
        chart->setTitle(tr("Used"), tr("requests in the window"), Metric::Unit::Count);
        line(tr("used"), ColorRole::Accent, "occupancy");
        if (const auto* limiter = m_state->as<LimiterState>(); limiter && limiter->limit)
            chart->setLimit(double(*limiter->limit),
                            tr("limit %1").arg(QLocale().toString(*limiter->limit)));
    } else {
        chart->setTitle(tr("TTL"), tr("until the lock expires"), Metric::Unit::Milliseconds);
        line(tr("TTL"), ColorRole::Accent, "lease");
    }
    chart->setFixedHeight(chartHeight);
    chart->setSubject({shownName(*m_state->primitive), m_session->title()});
    m_chart = chart;
    auto* holder = new QWidget;
    auto* column = new QVBoxLayout(holder);
    column->setContentsMargins(0, 0, 0, 0);
    if (kind == Kind::Lock) {
        m_timeline = new LockTimeline;
        m_timeline->setTitle(tr("Who held it"));
        m_timeline->setAxis(m_feed->axis());
        m_timeline->setSubject({shownName(*m_state->primitive), m_session->title()});
        column->addWidget(m_timeline);
        chart->hide();
        m_chart = m_timeline;
        connect(m_feed, &SeriesFeed::recordedHoldsChanged, this, &LifeDialog::showHolds);
    }
    column->addWidget(chart);
    connect(m_feed, &SeriesFeed::momentChosen, this, [this](qint64 tMs) {
        emit momentWanted(tMs);
        close();
    });
    return holder;
}

QWidget* LifeDialog::buildButtons()
{
    auto* buttons = new QWidget;
    auto* show = new QPushButton(tr("&Show this moment"));
    show->setObjectName(QStringLiteral("showMoment"));
    show->setToolTip(tr("All boards as they were then (Return)"));
    auto* copy = new QPushButton(tr("&Copy as text"));
    auto* save = m_save = new QToolButton;
    save->setText(tr("Save"));
    save->setAccessibleName(tr("Save"));
    restyle();
    save->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    save->setPopupMode(QToolButton::InstantPopup);
    save->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(save);
    menu->addAction(tr("Report as PNG\u2026"), this, [this] {
        askToSave(this, {tr("Save the report"), fileStem() + QStringLiteral(".png"),
                         tr("Pictures (*.png)"),
                         [this] { return [image = report()] { return png(image); }; }});
    });
    menu->addAction(tr("List as text\u2026"), this, [this] {
        askToSave(this,
                  {tr("Save the list"), fileStem() + QStringLiteral(".txt"), tr("Text (*.txt)"),
                   [this] { return [list = text()] { return list.toUtf8(); }; }});
    });
    menu->addAction(tr("List as CSV\u2026"), this, [this] {
        askToSaveCsv(this, tr("Save the list"), fileStem(),
                     [this] { return [list = csv()] { return list; }; });
    });
    save->setMenu(menu);
    auto* close = new QPushButton(tr("C&lose"));
    rowIn(buttons, {}, 8, {show, copy, save, BoxStretch{}, close});
    for (QPushButton* button : {show, copy, close})
        button->setAutoDefault(false);
    connect(show, &QPushButton::clicked, this, &LifeDialog::showChosen);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return buttons;
}

void LifeDialog::restyle()
{
    m_save->setIcon(icon(QStringLiteral("export"), palette()));
}

qint64 LifeDialog::spanMs() const
{
    return m_span->currentData().toLongLong();
}

void LifeDialog::ask()
{
    SessionHistory* history = m_session ? m_session->live()->history() : nullptr;
    if (!history)
        return;
    const bool before = spanMs() != around;
    m_untilMs = before ? m_momentMs : std::min(m_momentMs + hour, m_session->live()->serverNowMs());
    m_fromMs = !before        ? m_momentMs - hour
               : spanMs() > 0 ? m_momentMs - spanMs()
                              : history->firstMs();
    m_asked = true;
    m_ticket = history->askLife(*m_state->primitive, m_fromMs, m_untilMs);
    const qint64 firstMs = std::max(m_fromMs, history->firstMs());
    m_feed->setSource(m_session, m_handle);
    m_feed->axis()->setSpan(std::max<qint64>(60'000, m_untilMs - firstMs));
    m_feed->refresh(m_untilMs);
    if (m_timeline)
        showHolds(); // those in memory are there already
    updateEmpty();
}

void LifeDialog::showHolds()
{
    m_timeline->setIntervals(holdIntervals(m_feed->holds(), shownName(*m_state->primitive, 40)));
}

void LifeDialog::showChosen()
{
    const QModelIndex index = m_table->currentIndex();
    if (!index.isValid())
        return;
    emit momentWanted(m_model->lines()[size_t(index.row())].fromMs);
    close();
}

void LifeDialog::updateEmpty()
{
    const int rows = m_model->rowCount();
    static_cast<QStackedLayout*>(m_table->parentWidget()->layout())
        ->setCurrentWidget(rows > 0 ? static_cast<QWidget*>(m_table) : m_empty);
    m_count->setText(rows > 0 ? tr("%Ln line(s)", nullptr, rows) : QString());
    if (m_asked)
        m_empty->setText(QStringLiteral("clock"), tr("Reading the recording\u2026"), {});
    else if (m_model->total() > 0)
        m_empty->setText(QStringLiteral("search"), tr("Nothing matches"),
                         tr("No line matches the filter. Clear it to see all."));
    else
        m_empty->setText(QStringLiteral("clock"), tr("Nothing happened"),
                         tr("Holds, stuck jobs, limits reached, findings and actions would appear "
                            "here. Choose a longer time span to see older ones."));
}

QString LifeDialog::heading() const
{
    return tr("%1 \u00b7 %2").arg(layoutTitle(m_state->primitive->id.layout), m_session->title());
}

QString LifeDialog::fileStem() const
{
    return m_chart ? m_chart->fileStem() : tr("what happened");
}

QString LifeDialog::text() const
{
    const QString title = tr("%1 (%2), %3 \u2013 %4 %5")
                              .arg(shownName(*m_state->primitive), heading(),
                                   QDateTime::fromMSecsSinceEpoch(m_fromMs).toString(Qt::ISODate),
                                   QDateTime::fromMSecsSinceEpoch(m_untilMs).toString(Qt::ISODate),
                                   zoneText(m_untilMs));
    return lifeText(title, m_model->lines());
}

QString LifeDialog::csv() const
{
    return lifeCsv(m_model->lines());
}

QImage LifeDialog::report() const
{
    const QString caption =
        heading() + QLatin1Char('\n') +
        QDateTime::fromMSecsSinceEpoch(m_fromMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) +
        QStringLiteral(" \u2013 ") +
        QDateTime::fromMSecsSinceEpoch(m_untilMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss ")) +
        zoneText(m_untilMs);
    return drawReport({tr("What happened: %1").arg(shownName(*m_state->primitive)), caption,
                       m_chart ? m_chart->picture() : QImage(), m_model->lines()},
                      palette());
}

} // namespace lk
