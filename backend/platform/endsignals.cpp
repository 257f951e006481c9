// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/endsignals.h"

#include <QSocketNotifier>

#include <csignal>
#include <unistd.h>

namespace lk {

namespace {

static_assert(int(EndSignal::Hangup) == SIGHUP && int(EndSignal::Interrupt) == SIGINT &&
              int(EndSignal::Terminate) == SIGTERM);

constexpr int numbers[] = {SIGINT, SIGTERM, SIGHUP};
int pipeEnds[2] = {-1, -1};

// All that a signal handler may do.
void onSignal(int number)
{
    const char byte = char(number);
    [[maybe_unused]] const auto written = ::write(pipeEnds[1], &byte, 1);
}

} // namespace

EndSignals::EndSignals(Hangup hangup, QObject* parent)
    : QObject(parent)
{
    if (::pipe(pipeEnds) != 0)
        return;
    auto* notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        if (::read(pipeEnds[0], &byte, 1) == 1)
            emit received(EndSignal(byte));
    });
    struct sigaction action = {};
    action.sa_handler = onSignal;
    for (const int number : numbers) {
        const bool lasts = number == SIGHUP && hangup == Hangup::Reloads;
        action.sa_flags = SA_RESTART | (lasts ? 0 : int(SA_RESETHAND));
        struct sigaction before = {};
        ::sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) // as nohup has it
            ::sigaction(number, &action, nullptr);
    }
}

EndSignals::~EndSignals()
{
    for (const int number : numbers) {
        struct sigaction now = {};
        ::sigaction(number, nullptr, &now);
        if (now.sa_handler == onSignal)
            std::signal(number, SIG_DFL);
    }
    for (int& end : pipeEnds) {
        if (end >= 0)
            ::close(end);
        end = -1;
    }
}

} // namespace lk
