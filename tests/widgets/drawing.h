// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/waiting.h"
#include "widgets/charts/redrawgate.h"

namespace lk::test {

/// Waits until the charts of a widget show what they were given: they redraw ten times a second.
inline bool waitForDrawing(const QWidget& widget)
{
    QCoreApplication::processEvents();
    return waitUntil([&widget] {
        const auto parts = widget.findChildren<QObject*>();
        return std::none_of(parts.begin(), parts.end(), [](QObject* part) {
            const auto* gate = dynamic_cast<RedrawGate*>(part);
            return gate && gate->isPending();
        });
    });
}

} // namespace lk::test
