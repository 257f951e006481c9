// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/figurerow.h"

#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace lk {

namespace {

constexpr int wideGap = 24; // pixels between figures
constexpr int narrowGap = 8;
constexpr int labelSlack = 2; // what a label takes beside its text
// What gives way, one after the other: the first figure's size, all sizes, captions on one line.
constexpr int bodyStep = 2;
constexpr int lastStep = 3;

QFont valueFont(int step, bool first)
{
    return uiFont(step == 0 && first ? TextSize::Figure
                  : step < bodyStep  ? TextSize::Title
                                     : TextSize::Body);
}

// In the last step a caption of several words stands on two lines; the others leave the second one
// empty, so that all numbers stand on one line.
QString captionText(const QString& caption, int step)
{
    if (step < lastStep)
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
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // room that is left is below it
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(wideGap);
    row->addStretch(1);
}

void FigureRow::addLabels()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    auto* value = new QLabel;
    value->setTextFormat(Qt::PlainText); // what a server holds is never markup
    value->setFont(valueFont(m_step, m_labels.empty()));
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setFocusPolicy(Qt::NoFocus);
    auto* caption = new QLabel;
    caption->setFont(uiFont(TextSize::Caption));
    caption->setForegroundRole(QPalette::PlaceholderText);
    column->addStretch(1);
    column->addWidget(value);
    column->addWidget(caption);
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertLayout(row->count() - 1, column);
    m_labels.push_back({value, caption});
}

int FigureRow::gaps() const
{
    return std::max(1, int(m_figures.size())) - 1;
}

// What the figures take without gaps, in fonts of that step.
int FigureRow::wanted(int step) const
{
    int sum = 0;
    for (size_t i = 0; i < m_figures.size(); ++i) {
        const QFontMetrics value(valueFont(step, i == 0));
        sum += std::max(value.horizontalAdvance(m_figures[i].value),
                        widthOf(m_labels[i].caption->fontMetrics(),
                                captionText(m_figures[i].caption, step))) +
               labelSlack;
    }
    return sum;
}

QSize FigureRow::minimumSizeHint() const
{
    return {wanted(lastStep) + gaps() * narrowGap, layout()->minimumSize().height()};
}

void FigureRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

// Figures move closer together, and then become smaller, before anything is cut off.
void FigureRow::fit()
{
    int step = 0;
    while (step < lastStep && wanted(step) + gaps() * narrowGap > width())
        ++step;
    if (step != m_step) {
        m_step = step;
        for (size_t i = 0; i < m_labels.size(); ++i)
            m_labels[i].value->setFont(valueFont(step, i == 0));
        for (size_t i = 0; i < m_figures.size(); ++i)
            m_labels[i].caption->setText(captionText(m_figures[i].caption, step));
    }
    layout()->setSpacing(
        std::clamp((width() - wanted(step)) / std::max(1, gaps()), narrowGap, wideGap));
}

void FigureRow::setFigures(const std::vector<Figure>& figures)
{
    while (m_labels.size() < figures.size())
        addLabels();
    m_figures = figures;
    for (size_t i = 0; i < m_labels.size(); ++i) {
        const bool shown = i < figures.size();
        const auto& [value, caption] = m_labels[i];
        value->setVisible(shown);
        caption->setVisible(shown);
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

void FigureRow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        for (size_t i = 0; i < m_figures.size(); ++i)
            paintFigure(i);
    }
    QWidget::changeEvent(event);
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
