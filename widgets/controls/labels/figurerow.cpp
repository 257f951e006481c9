// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/labels/figurerow.h"

#include "widgets/theme/boxlayout.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>
#include <numeric>

namespace lk {

namespace {

constexpr int wideGap = 24; // pixels between figures
constexpr int narrowGap = 8;
constexpr int labelSlack = 2; // what a label takes beside its text
// Steps of giving way: the first figure's size, all sizes, captions on one line, all figures on one
// line.
constexpr int bodyStep = 2;
constexpr int brokenCaptionStep = 3;
constexpr int lastStep = 4;

QFont valueFont(int step, bool first)
{
    return uiFont(step == 0 && first ? TextSize::Figure
                  : step < bodyStep  ? TextSize::Title
                                     : TextSize::Body);
}

// Before figures take two lines, a caption of several words does; the others leave the second one
// empty, so that all numbers stand on one line.
QString captionText(const QString& caption, int step)
{
    if (step != brokenCaptionStep)
        return caption;
    const qsizetype space = caption.lastIndexOf(QLatin1Char(' '));
    QString text = caption;
    if (space > 0)
        text[space] = QLatin1Char('\n');
    else
        text += QLatin1Char('\n');
    return text;
}

int widthOf(const QFontMetrics& metrics, const QString& lines)
{
    int width = 0;
    for (const QString& line : lines.split(QLatin1Char('\n')))
        width = std::max(width, metrics.horizontalAdvance(line));
    return width;
}

} // namespace

FigureRow::FigureRow(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // room that is left is below it
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(wideGap);
    m_grid->setVerticalSpacing(narrowGap);
    onPaletteChange(this, [this] {
        for (size_t i = 0; i < m_figures.size(); ++i)
            paintFigure(i);
    });
}

void FigureRow::addLabels()
{
    auto* cell = new QWidget(this);
    auto* value = new QLabel;
    value->setTextFormat(Qt::PlainText); // what a server holds is never markup
    value->setFont(valueFont(m_step, m_labels.empty()));
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setFocusPolicy(Qt::NoFocus);
    auto* caption = new QLabel;
    caption->setFont(uiFont(TextSize::Caption));
    caption->setForegroundRole(QPalette::PlaceholderText);
    columnIn(cell, {}, 0, {value, caption});
    m_labels.push_back({cell, value, caption});
    m_columns = 0; // to be placed
}

// Figures side by side.
int FigureRow::columns(int step) const
{
    const int all = std::max(1, int(m_figures.size()));
    return step == lastStep ? (all + 1) / 2 : all;
}

// Returns the width of the figures in fonts of that step, without gaps.
int FigureRow::wanted(int step) const
{
    std::vector<int> widths(size_t(columns(step)));
    for (size_t i = 0; i < m_figures.size(); ++i) {
        const QFontMetrics value(valueFont(step, i == 0));
        const int width = std::max(
            value.horizontalAdvance(m_figures[i].value),
            widthOf(m_labels[i].caption->fontMetrics(), captionText(m_figures[i].caption, step)));
        int& widest = widths[i % widths.size()];
        widest = std::max(widest, width + labelSlack);
    }
    return std::accumulate(widths.begin(), widths.end(), 0);
}

int FigureRow::leastWidth(int step) const
{
    return wanted(step) + (columns(step) - 1) * narrowGap;
}

QSize FigureRow::minimumSizeHint() const
{
    return {leastWidth(lastStep), layout()->minimumSize().height()};
}

void FigureRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

// Figures move closer together, then become smaller, then stand on two lines, before anything is
// cut off.
void FigureRow::fit()
{
    int step = 0;
    while (step < lastStep && leastWidth(step) > width())
        ++step;
    if (step != m_step || columns(step) != m_columns) {
        m_step = step;
        m_columns = columns(step);
        for (size_t i = 0; i < m_labels.size(); ++i) {
            m_labels[i].value->setFont(valueFont(step, i == 0));
            m_grid->addWidget(m_labels[i].cell, int(i) / m_columns, int(i) % m_columns,
                              Qt::AlignBottom | Qt::AlignLeft);
        }
        for (size_t i = 0; i < m_figures.size(); ++i)
            m_labels[i].caption->setText(captionText(m_figures[i].caption, step));
        for (int column = 0; column < m_grid->columnCount(); ++column)
            m_grid->setColumnStretch(column, 0);
        m_grid->setColumnStretch(m_columns, 1);
    }
    m_grid->setHorizontalSpacing(
        std::clamp((width() - wanted(step)) / std::max(1, m_columns - 1), narrowGap, wideGap));
}

void FigureRow::setFigures(const std::vector<Figure>& figures)
{
    while (m_labels.size() < figures.size())
        addLabels();
    m_figures = figures;
    for (size_t i = 0; i < m_labels.size(); ++i) {
        const bool shown = i < figures.size();
        const auto& [cell, value, caption] = m_labels[i];
        cell->setVisible(shown);
        if (!shown)
            continue;
        value->setText(figures[i].value);
        value->setAccessibleName(
            QStringLiteral("%1: %2").arg(figures[i].caption, figures[i].value));
        caption->setText(captionText(figures[i].caption, m_step));
        paintFigure(i);
    }
    fit();
}

QString FigureRow::figure(int index) const
{
    return m_figures[size_t(index)].value;
}

void FigureRow::paintFigure(size_t index)
{
    const ColorRole role = m_figures[index].color;
    QPalette colored;
    if (role != ColorRole::Text) {
        // Which of the two a label draws with depends on the ground it stands on.
        const QColor color = themeColors(palette()).of(role);
        colored.setColor(QPalette::WindowText, color);
        colored.setColor(QPalette::Text, color);
    }
    QLabel* value = m_labels[index].value;
    if (value->palette().resolveMask() != colored.resolveMask() || role != ColorRole::Text)
        value->setPalette(colored);
}

} // namespace lk
