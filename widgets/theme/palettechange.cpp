// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/palettechange.h"

#include <QEvent>
#include <QWidget>

namespace lk {

namespace {

class PaletteWatch final : public QObject
{
public:
    PaletteWatch(QWidget* widget, std::function<void()> restyle)
        : QObject(widget)
        , m_restyle(std::move(restyle))
    {
        widget->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::PaletteChange)
            m_restyle();
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> m_restyle;
};

} // namespace

void onPaletteChange(QWidget* widget, std::function<void()> restyle)
{
    new PaletteWatch(widget, std::move(restyle));
}

void followPalette(QWidget* widget, const std::function<void()>& restyle)
{
    restyle();
    onPaletteChange(widget, restyle);
}

} // namespace lk
