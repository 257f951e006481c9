// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/overview/summarylist.h"

#include "backend/core/redactedname.h"
#include "backend/text/statewords.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/controls/tables/cellpainters.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace lk {

namespace {

// The unit is the first in which the number is at least one; per hour at the most.
QString rateText(double perSecond)
{
    const auto number = [](double value) { return QLocale().toString(value, 'g', 3); };
    if (perSecond >= 1)
        return SummaryList::tr("%1 /s").arg(number(perSecond));
    if (perSecond * 60 >= 1)
        return SummaryList::tr("%1 /min").arg(number(perSecond * 60));
    return SummaryList::tr("%1 /h").arg(number(perSecond * 3600));
}

QString depthText(const QueueState& queue)
{
    const QString waiting = QLocale().toString(waitingJobs(queue).value_or(0));
    if (!queue.processing)
        return SummaryList::tr("%1 waiting").arg(waiting);
    return SummaryList::tr("%1 waiting, %2 in progress")
        .arg(waiting, QLocale().toString(*queue.processing));
}

QString nameOf(const SummaryItem& item, int mostChars)
{
    if (!item.state)
        return shownName(item.finding->finding).left(mostChars);
    const Primitive& primitive = *item.state->primitive;
    return item.isLabelShared ? shownKey(primitive.kind, primitive.id.name, mostChars)
                              : shownName(primitive, mostChars);
}

QIcon iconOf(const SummaryItem& item, const QPalette& palette)
{
    return item.state ? stateIcon(*item.state, palette)
                      : severityIcon(item.finding->finding.severity, palette);
}

QString lineText(const SummaryLine& line)
{
    const SummaryItem& item = line.item;
    const QString word = item.reason.isEmpty() && item.state ? stateWord(*item.state) : item.reason;
    const QString text = QStringLiteral("%1: %2").arg(nameOf(item, 120), word);
    return line.age.isEmpty() ? text : QStringLiteral("%1, %2").arg(text, line.age);
}

std::pair<Handle, quint64> identityOf(const SummaryItem& item)
{
    return {item.handle, item.finding ? item.finding->id : 0};
}

FillBar barOf(const State& state)
{
    FillBar bar;
    if (const auto* limiter = state.as<LimiterState>()) {
        bar.used = limiter->occupancy;
        bar.limit = limiter->limit;
    }
    bar.health = state.health;
    return bar;
}

class LineDelegate final : public RowDelegate
{
public:
    LineDelegate(SummaryList::Show show, QObject* parent)
        : RowDelegate(parent)
        , m_show(show)
    {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        const int line = option.fontMetrics.height();
        return {200, m_show == SummaryList::Show::Reason ? 2 * line + 12 : line + 10};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyleOptionViewItem cell(option);
        initStyleOption(&cell, index);
        paintGround(painter, cell);
        const auto& model = *static_cast<const SummaryModel*>(index.model());
        const auto& [item, age] = *model.at(index.row());
        if (isCut(option))
            return;
        painter->save();
        const QRect rect = option.rect.adjusted(8, 4, -8, -4);
        const int side = option.fontMetrics.height();
        iconOf(item, option.palette).paint(painter, QRect(rect.left(), rect.top() + 2, side, side));
        const QRect text = rect.adjusted(side + 8, 0, 0, 0);
        painter->setPen(option.palette.color(QPalette::Text));
        if (m_show == SummaryList::Show::Reason)
            paintReason(painter, option, text, item, age);
        else
            paintLeader(painter, option, text, item, model);
        painter->restore();
    }

private:
    // Shows as many leaders as fit, none of them cut off.
    bool isCut(const QStyleOptionViewItem& option) const
    {
        const auto* list = qobject_cast<const QAbstractItemView*>(option.widget);
        return m_show != SummaryList::Show::Reason && list &&
               option.rect.bottom() > list->viewport()->height();
    }

    void paintName(QPainter* painter, const QRect& rect, const SummaryItem& item) const
    {
        painter->setFont(monoFont(TextSize::Body));
        painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft,
                          QFontMetrics(painter->font())
                              .elidedText(nameOf(item, 120), Qt::ElideMiddle, rect.width()));
    }

    void paintReason(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                     const SummaryItem& item, const QString& age) const
    {
        const QString reason = age.isEmpty() || item.reason.isEmpty()
                                   ? item.reason + age
                                   : item.reason + QStringLiteral(" \u00b7 ") + age;
        const int line = option.fontMetrics.height() + 2;
        paintName(painter, QRect(rect.left(), rect.top(), rect.width(), line), item);
        painter->setFont(uiFont(TextSize::Caption));
        painter->setPen(themeColors(option.palette).second);
        painter->drawText(
            QRect(rect.left(), rect.top() + line, rect.width(), line),
            Qt::AlignVCenter | Qt::AlignLeft,
            QFontMetrics(painter->font()).elidedText(reason, Qt::ElideRight, rect.width()));
    }

    // The few leaders' bars stand below one another.
    static int widestText(const SummaryModel& model, const QFontMetrics& metrics)
    {
        int widest = 0;
        for (const auto& [item, age] : model.rows()) {
            if (const StatePtr& state = item.state)
                widest = std::max(widest, metrics.horizontalAdvance(fillBarText(barOf(*state))));
        }
        return widest;
    }

    void paintLeader(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                     const SummaryItem& item, const SummaryModel& model) const
    {
        const auto* limiter = item.state->as<LimiterState>();
        const auto* queue = item.state->as<QueueState>();
        const QString text = limiter ? rateText(item.perSecond)
                             : queue ? depthText(*queue)
                                     : QString();
        // A text takes what it needs, and the name what is left; bars stand below one another.
        const int bar = std::min(rect.width() / 2, fillBarWidth(option.fontMetrics) + 40);
        const int right = m_show == SummaryList::Show::Fill && limiter
                              ? bar
                              : std::max(bar, option.fontMetrics.horizontalAdvance(text) + 2);
        paintName(painter, rect.adjusted(0, 0, -right - 8, 0), item);
        const QRect value = rect.adjusted(rect.width() - right, 0, 0, 0);
        painter->setFont(option.font);
        if (m_show == SummaryList::Show::Fill && limiter) {
            FillBar filled = barOf(*item.state);
            filled.textWidth = widestText(model, option.fontMetrics);
            paintFillBar(*painter, value, filled, option.palette);
        } else {
            painter->drawText(value, Qt::AlignVCenter | Qt::AlignRight, text);
        }
    }

    SummaryList::Show m_show;
};

} // namespace

SummaryModel::SummaryModel(QObject* parent)
    : RowModel(RowColumns<SummaryLine>{{.text = lineText, .spoken = lineText}}, parent)
{}

void SummaryModel::setItems(const std::vector<SummaryItem>& items, const QStringList& ages)
{
    std::vector<SummaryLine> lines;
    for (const SummaryItem& item : items)
        lines.push_back({item, ages.value(qsizetype(lines.size()))});
    setRows(std::move(lines));
}

QVariant SummaryModel::data(const QModelIndex& index, int role) const
{
    const SummaryLine* line = role == HandleRole ? at(index.row()) : nullptr;
    return line ? QVariant::fromValue(line->item.handle) : RowModel::data(index, role);
}

SummaryList::SummaryList(Show show, const QString& accessibleName, QWidget* parent)
    : QListView(parent)
    , m_model(new SummaryModel(this))
{
    setModel(m_model);
    setAccessibleName(accessibleName);
    setItemDelegate(new LineDelegate(show, this));
    setUniformItemSizes(true);
    setSelectionMode(SingleSelection);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollMode(ScrollPerPixel);
    setMinimumHeight(fontMetrics().height() + 12); // a line at least, in the smallest window
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    if (show != Show::Reason) // the leaders: as many as fit
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // A double click activates too.
    connect(this, &QListView::activated, this, &SummaryList::choose);
}

void SummaryList::setNoneText(const QString& text)
{
    if (std::exchange(m_noneText, text) == text)
        return;
    describe();
    if (m_model->rowCount() == 0)
        viewport()->update();
}

void SummaryList::describe()
{
    if (const QString none = m_model->rowCount() == 0 ? m_noneText : QString();
        accessibleDescription() != none)
        setAccessibleDescription(none);
}

void SummaryList::setItems(const std::vector<SummaryItem>& items, const QStringList& ages)
{
    m_restoring = true;
    m_model->setItems(items, ages);
    // Else the view forgets where all its lines are when one comes or goes, paints none of them and
    // finds them again by a timer: the next frame, and a picture, would show an empty list.
    executeDelayedItemsLayout();
    describe();
    const auto it = std::find_if(items.begin(), items.end(),
                                 [&](const SummaryItem& i) { return identityOf(i) == m_current; });
    // The line may show another primitive by now: Return must not lead there.
    setCurrentIndex(it == items.end() ? QModelIndex() : m_model->index(int(it - items.begin()), 0));
    m_restoring = false;
}

void SummaryList::paintEvent(QPaintEvent* event)
{
    QListView::paintEvent(event);
    if (m_model->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(8, 0, -8, 0),
                     Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, m_noneText);
}

void SummaryList::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    if (!m_restoring)
        m_current = current.isValid() ? identityOf(m_model->at(current.row())->item)
                                      : std::pair(noHandle, quint64(0));
}

void SummaryList::choose(const QModelIndex& index)
{
    const SummaryItem item = m_model->at(index.row())->item;
    if (item.state)
        emit chosen(item.state->kind(), item.handle);
    else
        emit findingChosen(item.finding->id);
}

} // namespace lk
