// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/redlockdetail.h"

#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/controls/panels/section.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/redlock/redlockmodel.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyle>

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostFindings = 4;
constexpr int margin = 16;
constexpr int longestOwner = 60; // characters
// Widths in characters: at most, at least. The owner takes the remaining room.
constexpr int serverCharacters = 40;
constexpr int redlockDetailOwnerCharacters = 14;
// The width that the table may request for these columns in a small window (pixels).
constexpr int mostAsked = 408;

// Returns the owners on any server, the one with the most first.
std::vector<QByteArray> ownersOf(const RedlockState& state)
{
    std::vector<QByteArray> owners;
    if (state.holds > 0)
        owners.push_back(state.owner);
    for (const RedlockVote& vote : state.votes) {
        if (vote.present && std::find(owners.begin(), owners.end(), vote.owner) == owners.end())
            owners.push_back(vote.owner);
    }
    return owners;
}

InlineMessage::Tone toneOf(Finding::Severity severity)
{
    return severity == Finding::Severity::Error     ? InlineMessage::Tone::Problem
           : severity == Finding::Severity::Warning ? InlineMessage::Tone::Warning
                                                    : InlineMessage::Tone::Hint;
}

} // namespace

RedlockDetail::RedlockDetail(QWidget* parent)
    : DetailFrame(parent)
    , m_name(new QLabel)
    , m_icon(new QLabel)
    , m_word(new QLabel)
    , m_caption(new QLabel)
    , m_figures(new FigureRow)
    , m_facts(new FactGrid)
    , m_findings(new QVBoxLayout)
    , m_votes(new VoteModel(this))
    , m_table(new FlatTable)
    , m_release(new QPushButton(tr("Release on all servers…")))
    , m_owners(new QMenu(m_release))
{
    setMinimumWidth(352);
    setObjectName(QStringLiteral("redlockDetail"));
    m_name->setFont(monoFont(TextSize::Title));
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_name->setAccessibleName(tr("Name"));
    m_name->setFocusPolicy(Qt::NoFocus);
    m_caption->setFont(uiFont(TextSize::Caption));
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setWordWrap(true);
    for (QLabel* label : {m_name, m_word, m_caption})
        label->setTextFormat(Qt::PlainText); // what a server holds is never markup
    m_findings->setSpacing(4);
    m_table->setObjectName(QStringLiteral("redlockServers"));
    m_table->setAccessibleName(tr("Servers"));
    m_table->setModel(m_votes);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setSectionResizeMode(VoteModel::StateColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionsClickable(false);
    build(buildPage(), buildBar(), tr("Details"));
    showPage(true);
}

QWidget* RedlockDetail::buildPage()
{
    auto* headline = new QHBoxLayout;
    headline->setSpacing(8);
    headline->addWidget(m_name, 1);
    headline->addWidget(m_icon);
    headline->addWidget(m_word);
    auto* servers = new Section(tr("Servers"));
    servers->setBody(m_table);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(margin, 12, margin, 12);
    column->setSpacing(8);
    column->addLayout(headline);
    column->addWidget(m_caption);
    column->addLayout(m_findings);
    column->addWidget(m_figures);
    column->addWidget(m_facts);
    column->addSpacing(4);
    column->addWidget(servers);
    column->addStretch(1);
    return page;
}

QWidget* RedlockDetail::buildBar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 9, 16, 8);
    row->addWidget(m_release);
    row->addStretch(1);
    m_release->setObjectName(QStringLiteral("redlockRelease"));
    m_release->setAutoDefault(false);
    connect(m_release, &QPushButton::clicked, this, [this] {
        if (!m_release->menu())
            emit releaseWanted(m_state.owner);
    });
    return bar;
}

void RedlockDetail::show(const RedlockState& state, const RedlockReport& report,
                         const QString& whyNot)
{
    m_state = state;
    const QString name = displayName(state.name);
    m_name->setText(
        m_name->fontMetrics().elidedText(name, Qt::ElideMiddle, std::max(120, m_name->width())));
    m_name->setToolTip(plainTip(name));
    m_word->setText(standingText(state.standing));
    m_caption->setText(tr("Redlock on %1 servers, declared for %2")
                           .arg(state.votes.size())
                           .arg(displayName(report.group.match)));
    updateIcon();
    showFindings(report);
    const bool held = state.standing == RedlockState::Standing::Held;
    const QString dash = QStringLiteral("\u2013");
    m_figures->setFigures(
        {{tr("%1 of %2").arg(state.holds).arg(state.votes.size()),
          tr("servers, a quorum is %1").arg(state.quorum), standingRole(state.standing)},
         {held ? validityText(state) : dash, tr("valid for")},
         {QString::number(state.free()), tr("free")},
         {QString::number(state.unreachable), tr("unreachable"),
          state.unreachable > 0 ? ColorRole::Danger : ColorRole::Text}});
    std::vector<FactGrid::Row> rows;
    if (state.holds > 0)
        rows.push_back({held ? tr("Owner") : tr("Most servers"),
                        displayPreview(state.owner, longestOwner * 2), true});
    if (state.others > 0)
        rows.push_back({tr("Other owners"), tr("on %1").arg(state.others), false});
    if (held && state.validityMs)
        rows.push_back({tr("Validity"),
                        tr("the TTL that a quorum has, minus what Redlock allows for clock drift "
                           "(1 % and 2 ms)"),
                        false});
    m_facts->setRows(rows);
    m_facts->setVisible(!rows.empty());
    m_votes->show(state, report.servers);
    fitTable();
    showButton(whyNot);
}

// The findings of this lock and of its group.
void RedlockDetail::showFindings(const RedlockReport& report)
{
    std::vector<const Finding*> shown;
    for (const Finding& finding : report.findings) {
        if ((finding.group || finding.name == m_state.name) && shown.size() < mostFindings)
            shown.push_back(&finding);
    }
    while (m_messages.size() < shown.size()) {
        m_messages.push_back(new InlineMessage);
        m_findings->addWidget(m_messages.back());
    }
    for (size_t i = 0; i < m_messages.size(); ++i) {
        m_messages[i]->setVisible(i < shown.size());
        if (i < shown.size())
            m_messages[i]->setMessage(toneOf(shown[i]->severity),
                                      QStringLiteral("%1. %2 %3")
                                          .arg(shown[i]->message, shown[i]->why, shown[i]->advice));
    }
}

// Built again only if something differs: an open menu keeps its place while numbers change.
void RedlockDetail::showButton(const QString& whyNot)
{
    std::vector<QByteArray> owners = ownersOf(m_state);
    const QString why = owners.empty() ? tr("Not available: nobody holds it on a server that "
                                            "answers")
                        : whyNot.isEmpty()
                            ? tr("Deletes its key on every server where the owner is unchanged")
                            : tr("Not available: %1").arg(whyNot);
    m_release->setEnabled(!owners.empty() && whyNot.isEmpty());
    m_release->setToolTip(plainTip(why));
    if (owners == m_listed)
        return;
    m_listed = std::move(owners);
    m_owners->clear();
    for (const QByteArray& owner : m_listed)
        m_owners->addAction(tr("Release for %1…")
                                .arg(displayPreview(owner, longestOwner))
                                .replace(QLatin1Char('&'), QStringLiteral("&&")),
                            this, [this, owner] { emit releaseWanted(owner); });
    m_release->setMenu(m_listed.size() > 1 ? m_owners : nullptr);
}

// Shows all rows: the pane scrolls, not the table in it. The server and the owner must be readable.
// With little room, an owner is shortened in its middle, and the clock is only in the tool tip.
void RedlockDetail::fitTable()
{
    const auto widthOf = [this](int column) {
        return std::max(static_cast<const QAbstractItemView*>(m_table)->sizeHintForColumn(column),
                        m_table->horizontalHeader()->sectionSizeHint(column));
    };
    const int em = std::max(1, m_table->fontMetrics().averageCharWidth());
    const int server = std::min(widthOf(VoteModel::ServerColumn), em * serverCharacters);
    const int ttl = widthOf(VoteModel::TtlColumn);
    const int clock = widthOf(VoteModel::ClockColumn);
    m_table->setColumnWidth(VoteModel::ServerColumn, server);
    m_table->setColumnWidth(VoteModel::TtlColumn, ttl);
    m_table->setColumnWidth(VoteModel::ClockColumn, clock);
    const int owner = std::min(widthOf(VoteModel::StateColumn), em * redlockDetailOwnerCharacters);
    setMinimumWidth(std::min(server + owner + ttl, mostAsked) + 2 * margin +
                    style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this));
    const int room = width() - 2 * margin; // the table itself is given its own only later
    m_table->setColumnHidden(VoteModel::ClockColumn,
                             server + ttl + clock + em * redlockDetailOwnerCharacters > room);
    const int rows = m_votes->rowCount() * m_table->verticalHeader()->defaultSectionSize();
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows + 2);
}

void RedlockDetail::updateIcon()
{
    const int side = m_word->fontMetrics().height();
    m_icon->setPixmap(
        icon(standingIconName(m_state.standing), standingRole(m_state.standing), palette())
            .pixmap({side, side}, devicePixelRatioF()));
}

void RedlockDetail::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTable();
}

// While another pane is in its place, that is as narrow as it likes.
void RedlockDetail::hideEvent(QHideEvent* event)
{
    setMinimumWidth(0);
    QWidget::hideEvent(event);
}

void RedlockDetail::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fitTable();
}

void RedlockDetail::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QWidget::changeEvent(event);
}

} // namespace lk
